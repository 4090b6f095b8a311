"""What the Unix program compress writes: the other direction of what is tested."""


class _Writer:
    """Codes in groups of eight; a change of width fills the group up."""

    def __init__(self, most_bits):
        self.out, self.most_bits = bytearray(b"\x1f\x9d" + bytes([0x80 | most_bits])), most_bits
        self.bits, self.codes = 9, []

    def put(self, code, reader_knows):
        if reader_knows >= 1 << self.bits and self.bits < self.most_bits:
            self.widen(self.bits + 1)
        self.codes.append(code)

    def widen(self, bits):
        self.codes += [0] * (-len(self.codes) % 8)
        self.flush()
        self.bits = bits

    def flush(self):
        number = sum(code << position * self.bits for position, code in enumerate(self.codes))
        self.out += number.to_bytes(-(-len(self.codes) * self.bits // 8), "little")
        self.codes = []


def compress(data, *, most_bits=16, clear_after=None):
    writer, table, count, knows, first = _Writer(most_bits), None, 0, 257, True
    table = {bytes([byte]): byte for byte in range(256)}
    word, free = b"", 257
    for byte in data:
        if word + bytes([byte]) in table:
            word += bytes([byte])
            continue
        writer.put(table[word], knows)
        knows += not first and knows < 1 << most_bits
        first, count = False, count + 1
        if free < 1 << most_bits:
            table[word + bytes([byte])] = free
            free += 1
        word = bytes([byte])
        if clear_after and count % clear_after == 0:
            writer.put(256, knows)
            writer.widen(9)
            table = {bytes([one]): one for one in range(256)}
            free = knows = 257
            first = True
    if word:
        writer.put(table[word], knows)
    writer.flush()
    return bytes(writer.out)
