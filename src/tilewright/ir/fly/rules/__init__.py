"""What the ops of the `fly` dialect infer: a rule an op, from values of types to a value, for the table."""
