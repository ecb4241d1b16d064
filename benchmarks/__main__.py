"""`make bench`: one row a case."""

from benchmarks.cases import all_cases

if __name__ == "__main__":
    print(f"{'case':22} {'rival':26} {'times as fast':>14}   size")
    for case, rival, ratio, size in all_cases():
        print(f"{case:22} {rival:26} {ratio:14.2f}   {size}")
