"""What users hold, as accesses: tiled copies, operands of MMAs, atoms, fragments."""
