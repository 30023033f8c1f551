"""An atlas of mistakes: the answers of wrong searches for all 3x3 boards."""
