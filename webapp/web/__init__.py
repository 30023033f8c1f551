"""The Flask application: pages, the game in the session, solving for many visitors."""
