"""The Python front end: `prim_func` reads a function's source and traces it into a `tile` module."""
