"""Int tuples, the stride module, layouts and their algebra. Imports nothing but `errors`; numpy only in bulk.

The table of operations is loaded with the first module of this folder: it makes the algebra methods of layouts.
"""

from tilewright.layout import operations as operations
