"""What searches and games tell: recordings, reviews, explanations, samples."""
