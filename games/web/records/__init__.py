"""Pages about the record of a round: checked, seen turn by turn, shared."""
