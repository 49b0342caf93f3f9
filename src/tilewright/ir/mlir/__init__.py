"""MLIR's own text of ops of other dialects, as far as xDSL reads and prints them only generically or lacks them."""
