"""The algebra of plain layouts. The kinds are told apart in `operations`, never here."""
