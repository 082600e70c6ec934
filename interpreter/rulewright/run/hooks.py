"""Hooks at run time: which of them, on which components, apply to an event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulewright.run.evaluate import Variables, truth

if TYPE_CHECKING:
    from rulewright.run.machine import Machine

ASKED = 4  # to ask a hook whether it applies costs as much as to look at so many things
Instance = tuple[str, dict[str, Any], Variables]


def instances(machine: Machine, event: str, timings: tuple[str, ...], arguments: list[Any], of: int | None = None) -> Iterator[Instance]:
    """Every hook on an event, once for each component it is written on: its key, the hook, and its local names.

    `of` is the component whose own effect or value the event is, if it is a member: a hook written on such a component speaks of its own one only, and
    one written elsewhere calls it `it`.
    """
    graph = machine.world.graph
    for identity in machine.world.hooks.get(event, ()):
        hook = graph["hooks"][identity]
        if hook["timing"] in timings:
            yield from _on_components(machine, identity, hook, arguments, of)
    machine.look(ASKED * len(machine.state.installed))
    for installed in machine.state.installed:
        hook = graph["hooks"][installed["hook"]]
        if hook["event"] == event and hook["timing"] in timings:
            yield _installed_one(installed, hook, arguments, of)


def instance(machine: Machine, key: str, arguments: list[Any], of: int | None = None) -> Instance | None:
    """The one of the hooks on an event that has a key; None if it holds no longer."""
    identity, component = hook_of(key), component_of(key)
    hook = machine.world.graph["hooks"][identity]
    if "~" in key:
        machine.look(len(machine.state.installed))
        number = int(key.rpartition("~")[2])
        found = next((each for each in machine.state.installed if each["number"] == number and each["hook"] == identity), None)
        return None if found is None else _installed_one(found, hook, arguments, of)
    bound = _bound(hook, arguments, of)
    return key, hook, bound if component is None else {**bound, "self": component}


def _installed_one(installed: dict[str, Any], hook: dict[str, Any], arguments: list[Any], of: int | None) -> Instance:
    return f"{installed['hook']}~{installed['number']}", hook, {**installed["vars"], **_plain(hook, arguments, of)}


def _plain(hook: dict[str, Any], arguments: list[Any], of: int | None) -> Variables:
    bound = dict(zip(hook["names"], arguments, strict=False))
    if of is not None:
        bound["it"] = of
    return bound


def _bound(hook: dict[str, Any], arguments: list[Any], of: int | None) -> Variables:
    """The local names of a hook that is written on no component, or before the component is known."""
    bound = _plain(hook, arguments, of)
    if hook["event"].endswith(".runs_out") and arguments:
        bound["self"] = arguments[0]
    return bound


def hook_of(key: str) -> str:
    """The hook that a key is of: what stands before the component, or before the number of what holds for a time."""
    return key.partition("@")[0].partition("~")[0]


def component_of(key: str) -> int | None:
    """The component that a key speaks of, if it speaks of one."""
    behind = key.rpartition("@")[2]
    return int(behind) if behind.isdecimal() else None


def unit_of(key: str) -> str:
    """The unit that a hook's body is."""
    return f"hook {hook_of(key)}"


def _on_components(machine: Machine, identity: str, hook: dict[str, Any], arguments: list[Any], of: int | None) -> Iterator[Instance]:
    bound = _bound(hook, arguments, of)
    if hook["of"] is None or hook["event"].endswith(".runs_out"):
        yield identity, hook, bound
        return
    components = machine.world.by_noun.get(hook["of"], [])
    own = of is not None and of in machine.world.noun_set(hook["of"])
    machine.look(ASKED * (1 if own else len(components)))
    for component in [of] if own else components:
        yield f"{identity}@{component}", hook, {**bound, "self": component}


def applies(machine: Machine, key: str, hook: dict[str, Any], variables: Variables) -> bool:
    """Whether a hook holds at this moment."""
    if hook["first"] or hook["once_per"] is not None:
        machine.copy(len(machine.state.once))
        if key in machine.state.once:
            return False
    return all(truth(machine, condition, variables) for condition in hook["while"]) and truth(machine, hook["when"], variables)


def fired(machine: Machine, key: str, hook: dict[str, Any]) -> None:
    """Remember that a hook that holds only once has been used."""
    if hook["first"] or hook["once_per"] is not None:
        machine.copy(len(machine.state.once))
        machine.state.once = [*machine.state.once, key]


def expire(machine: Machine, event: str) -> list[dict[str, Any]]:
    """After an event: what held until it holds no longer, and what may happen once per it may happen again. Gives what held."""
    state = machine.state
    machine.copy(len(state.installed) + len(state.once))
    over = [installed for installed in state.installed if installed["until"] == event]
    if over:
        state.installed = [installed for installed in state.installed if installed["until"] != event]
    if state.once and event in machine.world.once:
        free = machine.world.once[event]
        state.once = [key for key in state.once if hook_of(key) not in free]
    return over
