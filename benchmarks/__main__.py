"""Run the benchmarks, one after the other: `python -m benchmarks`, or `make bench`."""

from benchmarks import clicks, search

for benchmark in search, clicks:
    print(f"== {benchmark.__name__}", flush=True)
    benchmark.main()
