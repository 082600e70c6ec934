"""Effects as Python: each becomes a function `f<number>(m, s, ..., name, outcome)` that takes the event through its stages.

`s` is the component whose own effect it is, `name` and `outcome` are what the caller calls the result and how it went: they are needed only for the
frame that is left behind if the event stops in the middle. An effect is its requirements and its body, and what hooks have in it (see `hooked`).
"""

from __future__ import annotations

from typing import Any

from rulewright.compile.source.chains import EVENT, Chains
from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import SINGLE, Facts
from rulewright.compile.source.hooked import Hooked
from rulewright.compile.source.writing import ANY, ONE, Code, Module, Scope, Writer


def write_effect(module: Module, facts: Facts, chains: Chains, path: str) -> None:
    """The function of an effect."""
    effect: dict[str, Any] = module.graph["effects"][path]
    constant, parameters = module.constant(path).text, [parameter["name"] for parameter in effect["parameters"]]
    given = [f"p{position}" for position in range(len(parameters))]
    writer = Writer(module, f"def f{facts.effects[path]}({', '.join(['m', 's', *given, 'name', 'outcome'])}):")
    arguments = f"[{', '.join(given)}]"
    hooked = Hooked(module, facts, writer, path, given)
    writer.columns.add("S")
    hooks = (module.graph["hooks"][identity] for identity in facts.hooks_on.get(path, ()))
    writer.line(f"m.steps += {EVENT + sum(facts.looking.most({'op': 'all', 'of': hook['of']}) for hook in hooks if hook['of'] is not None)}")
    writer.line("if m.steps > m.last_step or m.looked > m.most_looks: too_long(m)")
    writer.line("if m.said[2] >= m.most_deep: too_deep(m)")
    writer.line("if m.depth >= DEEPEST:")
    writer.line(f"    m.pending.append(event_frame({constant}, s, {arguments}, name, outcome))")
    writer.line("    return 1")
    hooked.entering()
    names = {
        name: Code(f"p{position}", ONE if parameter["type"]["how"] in SINGLE else ANY, True)
        for position, (name, parameter) in enumerate(zip(parameters, effect["parameters"], strict=True))
    }
    expressions = Expressions(module, facts, writer)
    for requirement in effect["requires"]:
        test = expressions.test(requirement["test"], Scope({**names, "self": Code("s", ONE, True)}, dynamic=False))
        writer.line(f"if not {test.text}:")
        writer.line(f"    m.result, m.status = None, {module.constant('cannot').text}")
        writer.line("    return 0")
    writer.line(f"if m.happened is not None: m.happened.append({constant})")
    body = _body(module, chains, path, effect)
    if body is None:
        writer.line(f"version, result, status = S.version, None, {module.constant('nothing').text}")
        hooked.leaving()
        writer.line("m.result, m.status = result, status")
        _finished(facts, writer, path, constant)
        module.add(writer)
        return
    pairs = ", ".join(f"{module.constant(name).text}: {value}" for name, value in zip(parameters, given, strict=True))
    writer.line(f"V = {{{pairs}}}")
    writer.line("if s is not None: V[SELF] = s")
    writer.line("version, said = S.version, m.said")
    phase = constant if effect.get("what") in ("phase", "step") else "said[3]"
    writer.line(f"m.said = own = ({constant}, s, said[2] + 1, {phase})")
    writer.line("m.depth += 1")
    writer.line(f"r = {body}(m, V, 0)")
    writer.line("m.depth -= 1")
    writer.line("m.said = said")
    writer.line("if r == 0: result = None")
    writer.line("elif r == 2: result = m.value")
    writer.line("else:")
    writer.line("    if r == 1:")
    writer.line(
        f"        m.pending.append(({hooked.going_on}, CALL_FRAMES, V, own, {constant}, s, ({''.join(f'{each}, ' for each in given)}), version, name, outcome, m.at))"
    )
    writer.line("    return r")
    writer.line(f"status = {module.constant('done').text} if S.version != version else {module.constant('nothing').text}")
    hooked.leaving()
    writer.line("m.result, m.status = result, status")
    _finished(facts, writer, path, constant)
    module.add(writer)


def _body(module: Module, chains: Chains, path: str, effect: dict[str, Any]) -> str | None:
    """What gives the function of the body: of the component's own version, if it has one."""
    if effect["methods"]:
        return f"{module.lookup('bodies', path)}.get(s, {_chain(chains, effect['entry'])})"
    return _chain(chains, effect["entry"]) if effect["entry"] is not None else None


def _chain(chains: Chains, entry: str | None) -> str:
    return "no_body" if entry is None else f"c{chains.numbers[entry]}"


def _finished(facts: Facts, writer: Writer, path: str, constant: str) -> None:
    """What holds until the event, or once per it, ends."""
    if path in facts.bounds:
        writer.line(f"if S.installed or S.once: over(m, {constant})")
    writer.line("return 0")
