"""Pages on which a round is written down, move by move."""
