"""Int tuples, the stride module, layouts and their algebra. Imports nothing but `errors`; numpy only in bulk."""
