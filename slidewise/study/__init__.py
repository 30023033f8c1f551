"""Earlier import paths of `slidewise.course`, for programs that have them."""
