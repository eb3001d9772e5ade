"""A club's pages."""
