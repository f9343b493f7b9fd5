//! What is read: rows by group.

use crate::driver::Tool;

/// The number of a page in a path. Each read has the next page, and all reads of a turn have one session.
pub const PAGE: &str = "PAGE";

/// A read that is compared with other tools.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub group: &'static str,
    pub name: &'static str,
    /// The path. `SITE` is the address of the local server, and [`PAGE`] the number of a page.
    pub path: &'static str,
    /// What other tools read for it.
    pub peers: &'static [Peer],
}

/// Another tool, and the request that gives it the same work.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    pub tool: Tool,
    /// The name in tables.
    pub name: &'static str,
    pub request: &'static str,
}

/// The same path in oh-my-pi.
const fn omp(request: &'static str) -> Peer {
    Peer {
        tool: Tool::Omp,
        name: "omp",
        request,
    }
}

const fn library(name: &'static str, request: &'static str) -> Peer {
    Peer {
        tool: Tool::Library,
        name,
        request,
    }
}

/// Rows of a group: `name => path`, with the request of oh-my-pi if it has one, and those of libraries.
macro_rules! rows {
    ($($group:literal: { $($name:literal $path:literal [$($peer:expr),*]),+ $(,)? })+) => {
        /// All rows.
        pub const ROWS: &[Row] = &[$($(Row {
            group: $group, name: $name, path: $path, peers: &[$($peer),*],
        }),+),+];
    };
}

rows! {
    "text": {
        "text of 12 bytes" "12B.txt" [omp("12B.txt")],
        "text of 50 KB" "50KB.txt" [omp("50KB.txt")],
        "text of 50 KB, ten lines" "50KB.txt:50-60" [omp("50KB.txt:50-60")],
        "text of 50 KB, three ranges" "50KB.txt:5-9,50-55,600-610" [omp("50KB.txt:5-9,50-55,600-610")],
        "text of 50 KB, exact" "50KB.txt:raw" [omp("50KB.txt:raw")],
        "text of 50 KB, end" "50KB.txt:-20" [omp("50KB.txt:-20")],
        "log of 2 MB" "2MB.log" [omp("2MB.log")],
        "log of 2 MB, fifty lines" "2MB.log:10000-10050" [omp("2MB.log:10000-10050")],
        "log of 2 MB, 3000 lines" "2MB.log:1-3000" [omp("2MB.log:1-3000")],
        "log of 2 MB in Latin-1, lines" "latin-1.log:100-120" [omp("latin-1.log:100-120")],
        "log of 20 MB" "20MB.log" [omp("20MB.log")],
        "log of 20 MB, fifty lines" "20MB.log:100000-100050" [omp("20MB.log:100000-100050")],
        "log of 20 MB, end" "20MB.log:-20" [omp("20MB.log:-20")],
        "log of 1 GB" "1GB.log" [omp("1GB.log")],
        "log of 1 GB, middle" "1GB.log:7000000-7000050" [omp("1GB.log:7000000-7000050")],
        "log of 1 GB, end" "1GB.log:-50" [omp("1GB.log:-50")],
        "one line of 142 KB" "one-line.js" [omp("one-line.js")],
        "JSON of 2 MB, indented" "indented.json" [omp("indented.json")],
        "JSON of 2 MB, one line" "compact.json" [omp("compact.json")],
        "mail" "mail.eml" [omp("mail.eml")],
        "notebook of 45 cells" "45cells.ipynb" [omp("45cells.ipynb")],
        "HTML of 100 KB" "article.html" [omp("article.html")],
        "HTML of 2 MB" "lists.html" [omp("lists.html")],
    }
    "source": {
        "Rust, outline" "a.rs" [omp("a.rs")],
        "TypeScript, outline" "a.ts" [omp("a.ts")],
        "Python, outline" "a.py" [omp("a.py")],
        "Go, outline" "a.go" [omp("a.go")],
        "C, outline" "a.c" [omp("a.c")],
        "Java, outline" "A.java" [omp("A.java")],
        "JSON, outline" "a.json" [omp("a.json")],
        "Python, six lines" "a.py:120-125" [omp("a.py:120-125")],
    }
    "directory": {
        "directory of 12 files" "small/folder0" [omp("small/folder0")],
        "tree of 150 files" "tree" [omp("tree")],
        "directory of 1,000 files" "d1000" [omp("d1000")],
        "directory of 10,000 files" "d10000" [omp("d10000")],
        "tree of 20,000 files" "real" [omp("real")],
        "link to a tree of 20,000 files" "link" [omp("link")],
        "missing path among 131,000 files" "nowhere/nothing.txt" [omp("nowhere/nothing.txt")],
        "end of a path among 131,000 files" "folder77/file000199.txt" [omp("folder77/file000199.txt")],
    }
    "archive": {
        "zip of 10" "ten.zip" [omp("ten.zip")],
        "zip of 5,700" "many.zip" [omp("many.zip")],
        "zip of 100,000" "100000.zip" [omp("100000.zip")],
        "zip of 100,000, member" "100000.zip:dir/file50000.txt" [omp("100000.zip:dir/file50000.txt")],
        "zip member, small" "ten.zip:dir/file5.txt" [omp("ten.zip:dir/file5.txt")],
        "zip member of 25 KB" "ten.zip:25KB.txt" [omp("ten.zip:25KB.txt")],
        "zip member of 25 KB, 300 lines" "ten.zip:25KB.txt:1-300" [omp("ten.zip:25KB.txt:1-300")],
        "zip of 40 MB, small member" "40MB.zip:dir/file5.txt" [omp("40MB.zip:dir/file5.txt")],
        "tar.gz" "a.tar.gz" [omp("a.tar.gz")],
        "tar.gz, member" "a.tar.gz:1.txt:1-5" [omp("a.tar.gz:1.txt:1-5")],
        "tar.gz of 200 MB, first member" "logs.tar.gz:0.log:1-50" [omp("logs.tar.gz:0.log:1-50")],
        "tar.xz" "a.tar.xz" [omp("a.tar.xz")],
        "tar.bz2" "a.tar.bz2" [omp("a.tar.bz2")],
        "tar.zst" "a.tar.zst" [omp("a.tar.zst")],
    }
    "database": {
        "tables" "app.db" [omp("app.db")],
        "tables, a million rows" "million.db" [omp("million.db")],
        "table" "app.db:users" [omp("app.db:users")],
        "row" "app.db:users:4242" [omp("app.db:users:4242")],
        "rows by condition" "app.db:users?where=age>30&order=name:desc&limit=20"
            [omp("app.db:users?where=age>30&order=name:desc&limit=20")],
        "aggregate" "app.db?q=select count(*) from users where id < 100"
            [omp("app.db?q=select count(*) from users where id < 100")],
        "1,000 rows" "app.db?q=select * from users limit 1000" [omp("app.db?q=select * from users limit 1000")],
        "groups of a million rows" "million.db?q=select g, count(*), avg(b) from big group by g"
            [omp("million.db?q=select g, count(*), avg(b) from big group by g")],
    }
    "image": {
        "PNG 640x480" "640.png" [omp("640.png")],
        "JPEG 640x480" "640.jpg" [omp("640.jpg")],
        "PNG 4000x3000" "4000.png" [omp("4000.png")],
        "JPEG 4000x3000" "4000.jpg" [omp("4000.jpg")],
        "SVG, drawn" "chart.svg:img" [omp("chart.svg:img")],
    }
    "document": {
        "PDF of 1 page" "1.pdf" [
            omp("1.pdf"), library("pdf_oxide", "1.pdf"), library("unpdf", "1.pdf"), library("pypdfium2", "1.pdf"),
            library("anydoc", "1.pdf")],
        "PDF of 6 pages" "6.pdf" [
            omp("6.pdf"), library("pdf_oxide", "6.pdf"), library("unpdf", "6.pdf"), library("pypdfium2", "6.pdf"),
            library("anydoc", "6.pdf")],
        "PDF of 60 pages" "60.pdf" [omp("60.pdf")],
        "PDF of 200 pages, first" "200.pdf:page:1" [
            omp("200.pdf"), library("pdf_oxide", "200.pdf 1"), library("pypdfium2", "200.pdf 1")],
        "PDF of 200 pages, next in a session" "200.pdf:page:PAGE" [
            omp("200.pdf"), library("pdf_oxide", "200.pdf 2"), library("pypdfium2", "200.pdf 2")],
        "PDF of 1,000 pages, 500th" "1000.pdf:page:500" [
            omp("1000.pdf"), library("pdf_oxide", "1000.pdf 500"), library("pypdfium2", "1000.pdf 500")],
        "PDF of 1,000 pages, next in a session" "1000.pdf:page:PAGE" [
            omp("1000.pdf"), library("pdf_oxide", "1000.pdf 2"), library("pypdfium2", "1000.pdf 2")],
        "docx of 10 pages" "10.docx" [omp("10.docx"), library("undoc", "10.docx"), library("anydoc", "10.docx")],
        "docx of 80 pages" "80.docx" [omp("80.docx"), library("undoc", "80.docx"), library("anydoc", "80.docx")],
        "pptx of 6 slides" "6.pptx" [omp("6.pptx"), library("undoc", "6.pptx"), library("anydoc", "6.pptx")],
        "pptx of 30 slides" "30.pptx" [omp("30.pptx"), library("undoc", "30.pptx"), library("anydoc", "30.pptx")],
        "xlsx of 5,000 x 10" "5000.xlsx" [
            omp("5000.xlsx"), library("calamine", "5000.xlsx"), library("undoc", "5000.xlsx")],
        "xlsx, condition" "5000.xlsx:Rows?where=c3>4990&limit=20" [library("calamine", "5000.xlsx")],
    }
    "table": {
        "CSV of 60,000 rows, text" "60000.csv" [omp("60000.csv")],
        "CSV of 60,000 rows, condition" "60000.csv:?where=id=59995"
            [library("duckdb", "select * from '60000.csv' where id = 59995")],
        "CSV of 100 MB, text" "100MB.csv" [omp("100MB.csv")],
        "CSV of 100 MB, rows" "100MB.csv:" [library("duckdb", "select * from '100MB.csv' limit 500")],
        "CSV of 100 MB, condition" "100MB.csv:?where=id=777777"
            [library("duckdb", "select * from '100MB.csv' where id = 777777")],
        "CSV of 100 MB, limit" "100MB.csv:?where=score>999.9&limit=20"
            [library("duckdb", "select * from '100MB.csv' where score > 999.9 limit 20")],
        "CSV of 100 MB, order" "100MB.csv:?order=score:desc&limit=5"
            [library("duckdb", "select * from '100MB.csv' order by score desc limit 5")],
        "CSV of 100 MB, count" "100MB.csv:?q=select count(*) from data where city = 'Bern'"
            [library("duckdb", "select count(*) from '100MB.csv' where city = 'Bern'")],
        "CSV of 100 MB, groups" "100MB.csv:?q=select city, count(*), avg(score) from data group by city"
            [library("duckdb", "select city, count(*), avg(score) from '100MB.csv' group by city")],
        "JSON lines of 20,000 rows, condition" "20000.jsonl:?where=id=19990"
            [library("duckdb", "select * from '20000.jsonl' where id = 19990")],
    }
    "web": {
        "JSON" "SITE/a.json" [omp("SITE/a.json")],
        "text" "SITE/a.txt" [omp("SITE/a.txt")],
        "article of 100 KB" "SITE/article.html" [omp("SITE/article.html")],
        "PDF of 6 pages, from a server" "SITE/6.pdf" [omp("SITE/6.pdf")],
    }
}

/// Reads by the command line, and commands that do the same work.
pub const PROCESSES: &[(&str, &str, &[&str])] = &[
    ("text", "12B.txt", &["cat", "12B.txt"]),
    (
        "text",
        "12B.txt",
        &["rg", "--no-config", "hello", "12B.txt"],
    ),
    (
        "text",
        "2MB.log:10000-10050",
        &["sed", "-n", "10000,10050p;10050q", "2MB.log"],
    ),
    (
        "text",
        "1GB.log:7000000-7000050",
        &["sed", "-n", "7000000,7000050p;7000050q", "1GB.log"],
    ),
    ("text", "1GB.log:-50", &["tail", "-n", "50", "1GB.log"]),
    ("text", "indented.json", &["jq", ".", "indented.json"]),
    ("directory", "d1000", &["ls", "-lt", "d1000"]),
    (
        "directory",
        "d1000",
        &["rg", "--no-config", "--files", "d1000"],
    ),
    ("archive", "many.zip", &["unzip", "-l", "many.zip"]),
    (
        "archive",
        "many.zip:dir7/file7.txt",
        &["unzip", "-p", "many.zip", "dir7/file7.txt"],
    ),
    ("archive", "a.tar.gz", &["tar", "-tzf", "a.tar.gz"]),
    (
        "archive",
        "logs.tar.gz:0.log:1-50",
        &["tar", "-xOzf", "logs.tar.gz", "0.log"],
    ),
    (
        "archive",
        "logs.tar.gz:19.log:1-50",
        &["tar", "-xOzf", "logs.tar.gz", "19.log"],
    ),
    (
        "database",
        "app.db:users:4242",
        &["sqlite3", "app.db", "select * from users where id = 4242"],
    ),
    (
        "database",
        "million.db?q=select g, count(*), avg(b) from big group by g",
        &[
            "sqlite3",
            "million.db",
            "select g, count(*), avg(b) from big group by g",
        ],
    ),
    ("image", "4000.png", &["cat", "4000.png"]),
];
