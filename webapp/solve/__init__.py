"""The Solve card: streamed searches and replays."""
