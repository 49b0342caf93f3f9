"""The dialects on xDSL: types, ops, verification, text."""
