"""The pages. Thin: fetch with permission, form, service, render. Never imports the API."""
