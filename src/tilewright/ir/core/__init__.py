"""What every dialect rests on: facts about ops, index arithmetic, ranges, effects, places in the source."""
