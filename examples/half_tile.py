"""A 16x16 tile of halves through shared memory without bank conflicts: step by step, every table computed.

A line of shared memory has 128 bytes, that is 64 halves, or 8 vectors of 128 bits. Accesses of 16 bytes are served for
8 lanes at a time, so these 8 must find their vectors in 8 different places of a line (0 to 7).
A row of the tile has 2 vectors, so 4 rows fill a line, and a column of vectors meets only every other place: the
swizzle sends the rows of the next line to the places in between.
"""

import tilewright as tw
from tilewright.analysis.swizzle.half_tile import column_major, movements, staged_half_tile
from tilewright.analysis.swizzle.half_tile_tables import slips, tables


def show(title: str, rows: object) -> None:
    print(f"\n{title}")
    for row in rows:
        print("  " + "  ".join(map(str, row)))


# 1. The swizzle. B = 2 bits are changed, the M = 3 bits below them (a vector of 8 halves) stay, and the bits that are
#    read lie S = 3 above those that are changed: offset ^ ((offset & yyy) >> 3).
swizzle = tw.Swizzle(2, 3, 3)
print(f"{swizzle}: yyy = {swizzle.yyy_mask:08b} is read, zzz = {swizzle.zzz_mask:08b} is changed")
assert all(swizzle(offset) == offset ^ ((offset & swizzle.yyy_mask) >> 3) for offset in range(256))

# 2. The tile. 16 x 16 = 256 elements numbered from 0 to 255, are 32 vectors.
tile = staged_half_tile()
print(f"elements {tile.layout}, vectors {tile.vectors}, swizzle of vectors {tile.moved}")
assert tile.layout.size == 2**swizzle.b * 2**swizzle.m * 2**swizzle.s == 256

# 3. Every table of a note on this tile, in its order. The cells are those of the note, but for the slips below.
for title, header, rows in tables(swizzle):
    show(title, [header, *rows] if header else rows)

# 4. One address in four steps: the lane's row and column, the element (i,j), its number, and the swizzled number.
columns, rows, store, load = movements(swizzle)
for step in list(columns.steps())[:8]:
    print(step)
assert sorted(step.place for step in list(columns.steps())[:8]) == list(range(8))

# 5. What it costs: the bank model counts the lanes that are served together. 16 lanes that store 8 bytes fill a line,
#    and so do 8 lanes that load 16 bytes.
for movement in (columns, rows, store, load):
    own, plain = movement.report(), movement.without_swizzle().report()
    print(f"{movement.name}: {own.wavefronts} wavefronts, {plain.wavefronts} without the swizzle, ideal {own.ideal}")
    assert own.conflict_free
assert columns.without_swizzle().report().ways == 2
assert len({step.line for step in list(store.steps())[:16]}) == 1
assert len({step.line for step in list(load.steps())[:8]}) == 1

# 6. The advisor finds that one bit is enough for a tile of two vectors a row; the note's two bits do no harm.
access = tw.Access(columns.thread_value, vector_bits=128, kind="store")
best = tw.suggest_swizzle(tile.layout, access, element_bits=16)[0]
print(f"the smallest swizzle for {column_major(16, 2)}: {best.swizzle}")

# 7. Where the note slips. Its last table has the two halves of row 15 in the order of the unswizzled tile, and
#    names the wrong threads for the second tile; the swizzle and the table before it say what is right.
for slip in slips():
    print(f"{slip.where}: printed {slip.printed}, right {slip.right}: {slip.why}")
