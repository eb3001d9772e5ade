"""Games as files: `export` writes them, `read` and `walk` check what comes back, `bring_in` saves it."""
