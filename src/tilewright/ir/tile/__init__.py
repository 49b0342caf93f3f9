"""The `tile` dialect: buffers that carry layouts, and the primitives on them."""
