"""The algebra of composed layouts, outer(offset + inner(c)), which rests on that of plain ones."""
