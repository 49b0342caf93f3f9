"""Ready-made layouts of hardware: tensor memory, fragments, scale factors, shared tiles, scratchpads."""
