"""An atlas of mistakes: what wrong searches answer for all 3x3 boards."""
