"""Imported once by the process that workers are forked from: each worker then starts with the
compiled search loaded, and with the tables for the standard goals of 3x3 and 4x4."""

from slidewise import algorithms, parse_puzzle, solve

ONE_MOVE = parse_puzzle("1.2.3-4.5.6-7.0.8")

for key in algorithms():
    solve(ONE_MOVE, key)

solve(parse_puzzle("1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15"))
