// The options of a decision, by what they are about, and what a click or a drop on something means.

export class Choices {
  constructor(decision, seats) {
    this.options = decision?.mine ? decision.options ?? [] : [];
    this.about = new Map();
    for (const option of this.options)
      for (const id of option.about ?? []) {
        if (!this.about.has(id)) this.about.set(id, []);
        this.about.get(id).push(option);
      }
  }

  of(id) {
    return this.about.get(id) ?? [];
  }

  // Options about something, or about one of several things that are shown as one.
  ofAny(ids) {
    const found = new Set();
    for (const id of ids) for (const option of this.of(id)) found.add(option);
    return [...found];
  }

  // What dropping one thing on another means: the option about both; else the one about where it was dropped, if nothing can be done with
  // the thing alone; else the one about the thing, with the place in mind for the question that follows.
  dropped(thing, target) {
    const ofThing = this.of(thing);
    const onTarget = this.of(target);
    const both = ofThing.find((option) => onTarget.includes(option));
    if (both) return { option: both };
    if (!ofThing.length && onTarget.length === 1) return { option: onTarget[0] };
    if (ofThing.length === 1) return { option: ofThing[0], next: target };
    return null;
  }
}
