"""What a layout costs: bank conflicts, coalescing, vector widths, and the swizzle to use."""
