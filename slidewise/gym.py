"""The Gymnasium environment `slidewise.gym:Slidewise-v0`, which is in `slidewise.research.gym`."""

from slidewise.research.gym import SlidingPuzzleEnv as SlidingPuzzleEnv
