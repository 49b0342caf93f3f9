"""What the tab of banks shows beside lanes and phases: operands under descriptors, and a half tile on its way."""
