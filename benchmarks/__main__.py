"""Run the benchmarks, one after the other: `python -m benchmarks`, or `make bench`."""

from benchmarks import clicks, fifteen, searches

for benchmark in searches, fifteen, clicks:
    print(f"== {benchmark.__name__}", flush=True)
    benchmark.main()
