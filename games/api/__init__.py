"""The HTTP API. Thin: fetch with permission, check the body, service, answer. Never imports the pages."""
