"""Files of the old Unix program ``compress`` (``.Z``), which Python cannot read by itself."""

from __future__ import annotations

from polychotomy.core.exceptions import InvalidTable

_MAGIC = b"\x1f\x9d"

_CLEAR = 256

_FEWEST_BITS = 9


def uncompress(data: bytes, *, limit: int) -> bytes:
    r"""Undo ``compress``: Lempel, Ziv and Welch's codes of 9 bits and more, lowest bit first.

    Parameters
    ----------
    limit : int
        The most bytes that may come out.

    Examples
    --------
    Three literal codes of 9 bits:

    >>> codes = ord("a") | ord("b") << 9 | ord("c") << 18
    >>> uncompress(b"\x1f\x9d\x90" + codes.to_bytes(4, "little"), limit=10)
    b'abc'
    """
    if data[:2] != _MAGIC or len(data) < 3:
        raise InvalidTable(f"the file begins with {data[:2]!r}; expected {_MAGIC!r}, as .Z does.")
    most_bits, has_clear = data[2] & 0x1F, bool(data[2] & 0x80)
    words = [bytes([byte]) for byte in range(256)] + [b""] * has_clear
    fresh, out, size, previous = len(words), [], 0, b""
    for code in _Codes(data[3:], words, most_bits):
        if code == _CLEAR and has_clear:
            del words[fresh:]
            previous = b""
            continue
        if code > len(words) or (code == len(words) and not previous):
            raise InvalidTable("the .Z file is broken: it holds a code that means nothing yet.")
        word = words[code] if code < len(words) else previous + previous[:1]
        if previous and len(words) < 1 << most_bits:
            words.append(previous + word[:1])
        out.append(word)
        size, previous = size + len(word), word
        if size > limit:
            raise InvalidTable(f"the .Z file holds more than {limit} bytes.")
    return b"".join(out)


class _Codes:
    """The codes in a stream, growing in width as the table that the reader keeps grows.

    Codes are written in groups of eight; where the width changes, the rest of a group is empty.
    """

    def __init__(self, stream: bytes, words: list[bytes], most_bits: int) -> None:
        self.stream, self.words, self.most_bits = stream, words, most_bits
        self.bits, self.at, self.start = _FEWEST_BITS, 0, 0

    def __iter__(self) -> _Codes:
        return self

    def __next__(self) -> int:
        if len(self.words) >= 1 << self.bits and self.bits < self.most_bits:
            self._change_width(self.bits + 1)
        end = self.at + self.bits
        if end > 8 * len(self.stream):
            raise StopIteration
        low = self.at // 8
        chunk = int.from_bytes(self.stream[low : low + 4], "little")
        code = (chunk >> self.at % 8) & ((1 << self.bits) - 1)
        self.at = end
        if code == _CLEAR and len(self.words) > _CLEAR and self.words[_CLEAR] == b"":
            self._change_width(_FEWEST_BITS)
        return code

    def _change_width(self, bits: int) -> None:
        group = 8 * self.bits
        self.at = self.start + -(-(self.at - self.start) // group) * group
        self.start, self.bits = self.at, bits
