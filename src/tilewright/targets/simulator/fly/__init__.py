"""The `fly` dialect on the simulator: each op by a function written from its layouts, never by its lowering."""
