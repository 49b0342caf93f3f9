"""Numbers with types: what they mean, at once where they are known and as ops where only run time knows them."""
