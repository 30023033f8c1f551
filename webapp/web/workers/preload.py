"""Imported once by the process that workers are forked from: each worker then starts with the
compiled search loaded, and with the exact distances to the standard goal on 3x3."""

from webapp.puzzle import parse_puzzle
from webapp.search import algorithms, exact_table, solve

ONE_MOVE = parse_puzzle("1.2.3-4.5.6-7.0.8")

for key in algorithms():
    solve(ONE_MOVE, key)

exact_table(ONE_MOVE.goal)
