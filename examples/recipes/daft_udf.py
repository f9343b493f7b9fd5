"""omniread as a batch method of Daft: `frame.with_column("row", Read("project").rows(frame["path"]))`."""

import daft
import pyarrow as pa

from omniread import parquet

ROW = daft.DataType.from_arrow_type(pa.struct(parquet.SCHEMA))


@daft.cls
class Read:
    def __init__(self, root: str) -> None:
        self.reads = parquet.Reads(root)

    @daft.method.batch(return_dtype=ROW, batch_size=256)
    def rows(self, paths: daft.Series) -> list[dict[str, object] | None]:
        """A struct with the columns of a row for each path. An empty path or a null has a null."""
        names = paths.to_pylist()
        tables = self.reads.tables(name for name in names if name)
        found = {row["path"]: row for table in tables for row in table.to_pylist()}
        return [found.get(name) for name in names]
