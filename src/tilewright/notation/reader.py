"""The cursor over tokens that every parser here shares: look, take, expect, and fail with a caret.

Limits are enforced while reading: depth of brackets, integers of 63 bits, leaves of one object. Parsers are
recursive descents whose recursion is exactly the bracket depth that `nested` bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeVar

from tilewright.errors import LayoutError, NotationError, caret, shown
from tilewright.layout.inttuple import MAX_DEPTH, MAX_INT, MAX_LEAVES
from tilewright.layout.symbolic.operators import as_int
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.tokens import Token, tokenize
from tilewright.numerals import hexadecimal, is_digits, natural

Item = TypeVar("Item")


class Reader:
    """A text, its tokens, and the place reached; `plain` makes a value of an integer without CuTe's `_`.

    Only `text[start:stop]` is read; carets point into all of it.
    """

    def __init__(
        self, text: str, plain: Callable[[int], int | SymInt] = int, start: int = 0, stop: int | None = None
    ) -> None:
        if not isinstance(text, str):
            raise NotationError(f"expected text, got {type(text).__name__}")
        self.text = text
        self._plain = plain
        self._tokens = tokenize(text, start, stop)
        self._next = 0
        self._depth = 0
        self.places: list[int] = []  # of the leaves of the tuple that is read
        self.widths: set[int] = set()  # bits of elements that the text tells

    def plain(self, value: int) -> int:
        """The value of an integer that stands without CuTe's `_`."""
        return as_int(self._plain(value))

    # ---- looking and taking

    @property
    def token(self) -> Token:
        """The next token; `end` for ever at the end."""
        return self._tokens[self._next]

    @property
    def last(self) -> Token:
        """The token before the next one."""
        return self._tokens[max(0, self._next - 1)]

    def look(self, ahead: int = 1) -> Token:
        """The token after the next one."""
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)]

    def at(self, *kinds: str) -> bool:
        """Is the next token of one of these kinds?"""
        return self._tokens[self._next].kind in kinds

    def at_name(self, *names: str) -> bool:
        """Is the next token one of these names?"""
        token = self._tokens[self._next]
        return token.kind == "name" and token.text in names

    def first(self, start: Token, *texts: str) -> Token:
        """The first token from `start` on that reads like one of these; `start` if there is none."""
        return next((t for t in self._tokens if t.at >= start.at and t.text in texts), start)

    def any_name(self, *names: str, before: str | None = None) -> bool:
        """Does one of these names stand anywhere in the text, right before a token of kind `before`?"""
        pairs = zip(self._tokens, self._tokens[1:], strict=False)
        return any(t.kind == "name" and t.text in names and before in (None, after.kind) for t, after in pairs)

    def take(self) -> Token:
        """The next token, which is passed."""
        token = self.token
        if token.kind != "end":
            self._next += 1
        return token

    def accept(self, kind: str) -> bool:
        """Pass the next token if it is of that kind."""
        found = self._tokens[self._next].kind == kind
        if found:
            self._next += 1
        return found

    def accept_name(self, *names: str) -> bool:
        """Pass the next token if it is one of these names."""
        found = self.at_name(*names)
        if found:
            self._next += 1
        return found

    # ---- demanding

    def expect(self, kind: str, what: str = "") -> Token:
        """The next token, which must be of that kind."""
        if self.token.kind != kind:
            self.fail(what or f"{shown(kind)}")
        return self.take()

    def expect_name(self, *names: str) -> str:
        """The next token, which must be one of these names (any, if none is given)."""
        if self.token.kind != "name" or (names and self.token.text not in names):
            self.fail(" or ".join(map(repr, names)) or "a name")
        return self.take().text

    def expect_text(self, text: str) -> None:
        """The next token must read like this."""
        if self.token.text != text:
            self.fail(repr(text))
        self.take()

    def quoted(self, item: Callable[[Reader], Item]) -> Item:
        """What stands in quotes, all of which `item` reads."""
        token = self.expect("string", "a text in quotes")
        inside = Reader(self.text, self._plain, token.at + 1, token.end - 1)
        found = item(inside)
        inside.expect_end()
        return found

    def pass_rest(self) -> None:
        """Whatever follows is not read."""
        self._next = len(self._tokens) - 1

    def expect_end(self) -> None:
        """Nothing may follow."""
        if self.token.kind != "end":
            self.fail("the end of the text")

    def integer(self, what: str = "an integer") -> int:
        """The next token as an integer, with its sign; |value| < 2^63."""
        sign = -1 if self.at("-") and self.look().kind == "int" else 1
        if sign < 0:
            self.take()
        token = self.expect("int", what)
        return sign * self.number(token.text, token, what)

    def address(self) -> int:
        """`0x7f00`, or a decimal integer; below 2^64."""
        token = self.token
        if self.at("int") and self.look().kind == "name" and self.look().at == token.end:
            token = Token("int", self.take().text + self.take().text, token.at)
            value = hexadecimal(token.text, 1 << 64)
            return (
                self.refuse(f"expected an address such as 0x7f00, got {shown(token.text)}", token)
                if value is None
                else value
            )
        return self.integer("an address such as 0x7f00")

    def number(self, digits: str, token: Token, what: str) -> int:
        """The value of digits inside `token`, below 2^63."""
        if not is_digits(digits):
            self.refuse(f"expected {what}, got {shown(token.text)}", token)
        value = natural(digits, MAX_INT)
        return self.refuse("the integer is outside (-2^63, 2^63)", token) if value is None else value

    # ---- structure

    def sequence(self, item: Callable[[Reader], Item], close: str, separators: str = ",") -> list[Item]:
        """Items up to and with the closing bracket; a separator may also follow the last one."""
        items: list[Item] = []
        with self.nested():
            while not self.accept(close):
                items.append(item(self))
                if not self.at(close) and not self.accept_any(separators):
                    self.fail(" or ".join(map(repr, (*separators, close))))
        return items

    def accept_any(self, kinds: str) -> bool:
        """Pass the next token if its kind is one of these characters."""
        return any(map(self.accept, kinds))

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One bracket deeper, within the limit."""
        if self._depth == MAX_DEPTH:
            self.refuse(f"brackets are nested deeper than {MAX_DEPTH}", self.last)
        self._depth += 1
        yield
        self._depth -= 1

    def count_leaf(self, token: Token | None = None) -> None:
        """One leaf more, at the next token or another, within the limit; `restart_leaves` begins a new tuple."""
        self.places.append((token or self.token).at)
        if len(self.places) > MAX_LEAVES:
            self.refuse(f"a tuple has more than {MAX_LEAVES} leaves", self.token)

    def restart_leaves(self) -> None:
        """The leaves counted from here on belong to another tuple."""
        self.places = []

    # ---- refusing

    def fail(self, expected: str) -> NoReturn:
        """Refuse the next token, saying what could have stood there."""
        found = "the end of the text" if self.token.kind == "end" else repr(self.token.text)
        self.refuse(f"expected {expected}, got {found}", self.token)

    def refuse(self, message: str, token: Token) -> NoReturn:
        """Refuse with a message of one's own and the caret under `token`."""
        raise NotationError(message, self.text, token.at)

    def checked(self, build: Callable[[], Item], token: Token) -> Item:
        """`build()`; a law that the numbers at `token` break stays a `LayoutError`, with the caret under them."""
        try:
            return build()
        except LayoutError as error:
            raise LayoutError(f"{error}\n{caret(self.text, token.at)}") from None
