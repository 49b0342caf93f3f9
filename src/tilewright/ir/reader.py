"""Reads IR text with the place of every op, and says by diagnostics what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import AttributeInvT, Operation, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from tilewright.ir.core.dominance import Visibility
from tilewright.ir.core.location import standing
from tilewright.ir.diagnostics import Diagnostic, DiagnosticError, at
from tilewright.ir.dialects import context
from tilewright.ir.locations import Resolver
from tilewright.ir.mlir.sentences import as_mlir_says, of_unknown_name, of_unknown_op
from tilewright.ir.mlir.text import MlirParser
from tilewright.ir.places import located
from tilewright.ir.verified import Verifier

_RESULTS = re.compile(r"(?:%[\w$.-]+(?::[0-9]+)?\s*,?\s*)+=\s*")
# Comments, strings, and the quote that opens a string without an end, at which xDSL's lexer would search exponentially.
_STRINGS = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|(?P<open>")')
_WHOLE = re.compile("[A-Za-z0-9]+Op: ")  # a sentence that names its op itself, as FlyDSL's inference does
_TOO_DEEP = "this is nested too deeply"


Problem: TypeAlias = tuple[Operation, str]


@dataclass(frozen=True)
class Source:
    """A module's text: its file, and the line of the file that it begins at."""

    file: str
    text: str
    first_line: int = 1

    def error(self, position: int, message: str) -> DiagnosticError:
        """What is wrong at a position of the text."""
        return DiagnosticError(at(self.file, self.text, position, message, self.first_line))


@dataclass
class Read:
    """A module, and where in its text each op begins."""

    module: ModuleOp
    source: Source
    starts: dict[Operation, int] = field(repr=False)

    def speaks_of(self, dialect: str) -> bool:
        """Has an op, or an attribute of one, a name of that dialect?"""
        return any(name.startswith(f"{dialect}.") for op in self.starts for name in (op.name, *op.attributes))

    def diagnostic(self, op: Operation, message: str) -> Diagnostic:
        """What is wrong with an op, or with the op around it whose place is known."""
        while op not in self.starts and (parent := op.parent_op()) is not None:
            op = parent
        return self.source.error(self.starts.get(op, 0), message).diagnostic


class _Recorder(MlirParser):
    """Remembers where each op begins: at its name."""

    def __init__(self, source: Source, allow_unregistered: bool) -> None:
        self.located = located(source.text)
        super().__init__(context(allow_unregistered), self.located.text, source.file)
        self.source = source
        self.starts: dict[Operation, int] = {}
        self.resolved = Resolver(self.located.aliases)
        self.said: set[Operation] = set()  # the ops that have a location in the text, be it `unknown`
        self.latest = 0  # where the op begins that was last begun
        self.uses: dict[str, int] = {}  # where a value is used first that has not been defined
        self.contradiction: ParseError | None = None  # what says that a value has two types

    @property
    def holds_anything(self) -> bool:
        """Is there more than comments? A text without an op is a module without ops."""
        return self._current_token.kind is not MLIRTokenKind.EOF

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        results = _RESULTS.match(self.source.text, start)
        start = self.latest = results.end() if results else start
        op = super().parse_operation()
        if self.forward_ssa_references and op.has_trait(IsolatedFromAbove):
            self._refuse_undeclared(start)
        self.starts[op] = start
        words = self.located.at(start, self._current_token.span.start)
        if words:
            op.location = self.resolved(words)
            self.said.add(op)
        return op

    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeInvT) -> SSAValue[AttributeInvT]:
        if operand.operand_name not in self.ssa_values:
            self.uses.setdefault(operand.operand_name, operand.span.start)
        with self._of_types():
            return super().resolve_operand(operand, type)

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        if name in self.ssa_values:  # a second definition, which is another mistake
            super()._register_ssa_definition(name, values, span)
        with self._of_types():
            super()._register_ssa_definition(name, values, span)

    @contextmanager
    def _of_types(self) -> Iterator[None]:
        """What is refused here contradicts a value's other uses, or its definition."""
        try:
            yield
        except ParseError as error:
            self.contradiction = error
            raise

    def _refuse_undeclared(self, start: int) -> None:
        """Nothing beyond an op that is isolated defines what it uses."""
        used = min((self.uses.get(name, 0) for name in self.forward_ssa_references), default=0)
        if used >= start:
            self.raise_error("SSA value used before assignment", used, used)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError:  # which stands at the word after the name
            generic = self.source.text.startswith('"', self.latest)
            self.raise_error(of_unknown_op(name, self.ctx, generic), self.latest, self.latest + len(name))

    def refusal(self, error: ParseError) -> DiagnosticError:
        """The error, as MLIR says it and where."""
        text, position = self.source.text, error.span.start
        named = of_unknown_name(error.msg, self.ctx, text, position)
        if named is not None:
            return self.source.error(named[1], named[0])
        if error.msg.startswith("values used but not defined"):
            position = min(self.uses.values(), default=position)
        if error.msg.startswith("undefined symbol alias "):  # which stands at the word after the alias
            position = max(0, text.rfind(error.msg.split("'")[1], 0, position))
        sentence = as_mlir_says(error.msg, text[position : position + 200])
        if sentence.startswith("expected ") and (before := len(text[:position].rstrip())) < position:
            line = text.rfind("\n", 0, before) + 1
            missing = "\n" in text[before:position] and "//" not in text[line:before]
            position = before if missing else position  # at the end of the line that lacks it
        told = self.source.error(position, sentence)
        return DiagnosticError(replace(told.diagnostic, contradicts=error is self.contradiction))


def read(source: Source, allow_unregistered: bool = False) -> Read:
    """The module of a text, with the place of each op; not verified. Ops of other dialects are taken where allowed.

    Raises:
        DiagnosticError: the text is not MLIR of the dialects in use.
    """
    for string in _STRINGS.finditer(source.text):
        if string["open"]:
            raise source.error(string.start(), "a string begins here and does not end on its line")
    parser: _Recorder | None = None
    try:
        parser = _Recorder(source, allow_unregistered)
        module = parser.parse_module() if parser.holds_anything else ModuleOp([])
        found = Read(module, source, parser.starts)
    except ParseError as error:
        raise (parser.refusal(error) if parser else source.error(error.span.start, error.msg)) from None
    except RecursionError:
        raise source.error(parser.pos if parser else 0, _TOO_DEEP) from None
    except Exception as error:  # xDSL's own readers raise whatever they like; what they read is to blame
        raise source.error(parser.latest if parser else 0, _words(error)) from None
    _locate(found, parser.said)
    return found


def problems(found: Read) -> list[Diagnostic]:
    """What breaks the rules of the ops: of each function, or other op of the module, the first that is found."""
    again = _symbol_again(found)
    if again is not None:
        return [again]
    visible, verifier = Visibility(found.module), Verifier()
    outer = _own_problem(found.module, verifier)
    told = [outer] if outer else [_first_problem(op, visible, verifier) for op in found.module.ops]
    return [found.diagnostic(*problem) for problem in told if problem]


def _symbol_again(found: Read) -> Diagnostic | None:
    """A symbol that one table has twice, at its second definition."""
    defined: dict[tuple[Operation | None, str], Operation] = {}
    for op in found.starts:
        name = op.attributes.get("sym_name") or op.properties.get("sym_name")
        if isinstance(name, StringAttr):
            first = defined.setdefault((op.parent_op(), name.data), op)
            if first is not op:
                there = found.diagnostic(first, "see existing symbol definition here")
                return replace(found.diagnostic(op, f"redefinition of symbol named '{name.data}'"), others=(there,))
    return None


def _first_problem(top: Operation, visible: Visibility, verifier: Verifier) -> Problem | None:
    found = (_own_problem(op, verifier) or _undefined_operand(op, visible) for op in top.walk())
    return next((problem for problem in found if problem), None)


def _own_problem(op: Operation, verifier: Verifier) -> Problem | None:
    try:
        verifier.op(op)
    except RecursionError:
        return op, _TOO_DEEP
    except Exception as error:  # as in `read`
        words = as_mlir_says(_words(error))
        whole = words.startswith(f"'{op.name}' op ") or _WHOLE.match(words)
        return op, words if whole else f"'{op.name}' op {words}"
    return None


def _undefined_operand(op: Operation, visible: Visibility) -> Problem | None:
    for i, operand in enumerate(op.operands):
        if not visible.reaches(operand, op):
            return op, f"'{op.name}' op operand #{i} does not dominate this use"
    return None


def _locate(found: Read, said: Collection[Operation]) -> None:
    """Gives every op its place in the source, unless the text gave it one. A module without a name begins it."""
    text, line, last, begin = found.source.text, found.source.first_line, 0, 0
    name = StringAttr(found.source.file)
    for op, start in sorted({found.module: 0, **found.starts}.items(), key=lambda item: item[1]):
        line += text.count("\n", last, start)
        begin = text.rfind("\n", last, start) + 1 or begin
        last = start
        here = FileLineColLoc(name, IntAttr(line), IntAttr(start - begin + 1))
        op.location = standing(op.location, here) if op in said else here


def _words(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip()
