"""Mutants of the package: small wrong edits that the tests must notice; `make mutants` runs them."""
