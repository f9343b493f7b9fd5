"""omniread in a Dask bag: each item is a share of paths, whose Parquet file appears as a whole."""

import dask.bag

from omniread import parquet


def read_files(paths: list[str], output: str, root: str, share_paths: int = 1000) -> dict[str, int]:
    """Write a row for each file. After a crash, the same call writes the files that are missing."""
    run = parquet.plan(paths, output, parquet.Reads(root), recursive=True, share_paths=share_paths)
    left = run.left()
    if not left:
        return {"rows": 0, "failed": 0}
    bag = dask.bag.from_sequence(left, npartitions=len(left)).map(run.write)
    written = bag.compute()
    return {name: sum(each[name] for each in written) for name in ("rows", "failed")}
