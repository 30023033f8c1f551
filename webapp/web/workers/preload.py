"""Imported once by the process that workers are forked from: each worker then starts with the
compiled search loaded."""

from webapp.search import algorithms, kernels

for algorithm in algorithms().values():
    kernels.load(algorithm.kernel)
