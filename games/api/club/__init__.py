"""The API of clubs: people, seasons, nights, results in doubt, standings. Everything as the pages do it."""
