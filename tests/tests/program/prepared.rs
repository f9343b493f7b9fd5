//! Connections to databases that were opened before their read: the replies of a process that reads several times are
//! those of a process that reads once.

use omniread::AfterReply;
use omniread_tests::{Cli, Workspace};
use rusqlite::Connection;

/// Databases of all kinds, of which a prepared connection knows nothing.
fn databases(workspace: &Workspace) -> Vec<(String, Option<Connection>)> {
    let rows = "create table t(id integer primary key, name text, b);
        insert into t values (1, 'one', 1.5), (2, 'two', x'00ff'), (7, 'seven', null);
        create table other(a, b unique); create index i on other(a); create view v as select name from t;";
    let settings = [
        "",
        "pragma page_size = 512;",
        "pragma page_size = 65536;",
        "pragma encoding = 'UTF-16le';",
        "pragma auto_vacuum = full;",
        "pragma auto_vacuum = incremental; pragma page_size = 1024;",
        "pragma journal_mode = wal;",
        "pragma journal_mode = wal; pragma page_size = 8192; vacuum;",
        "pragma user_version = 3; pragma application_id = 4;",
    ];
    let created = settings.iter().enumerate().map(|(number, setting)| {
        let name = format!("{number}.db");
        let database = Connection::open(workspace.path().join(&name)).unwrap();
        database.execute_batch(&format!("{setting}{rows}")).unwrap();
        // A log exists while its program runs.
        (name, setting.contains("wal").then_some(database))
    });
    let mut created: Vec<_> = created.collect();
    workspace.file("empty.db", "");
    workspace.file("text.db", "no database\n");
    let whole = std::fs::read(workspace.path().join("0.db")).unwrap();
    workspace.file("cut.db", &whole[..whole.len() - 5000]);
    workspace.file("short.db", &whole[..50]);
    let mut damaged = whole.clone();
    damaged[100..108].fill(0xff);
    workspace.file("schema.db", &damaged);
    let mut unused = whole;
    unused[20] = 8;
    workspace.file("unused.db", &unused);
    let others = [
        "empty.db",
        "text.db",
        "cut.db",
        "short.db",
        "schema.db",
        "unused.db",
    ];
    created.extend(others.map(|name| (name.to_owned(), None)));
    created
}

#[test]
fn prepared_connections_read_as_those_that_a_read_opens() {
    let workspace = Workspace::new();
    let databases = databases(&workspace);
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let reader = workspace.builder().build().unwrap();
    for (database, _writer) in &databases {
        for after in [
            "",
            ":t",
            ":T:7",
            ":t:3",
            ":v:1",
            ":other",
            ":nothing:1",
            "?q=pragma database_list",
            "?q=pragma data_version",
            "?q=pragma page_size",
            "?q=pragma auto_vacuum",
            "?q=pragma journal_mode",
            "?q=pragma encoding",
            "?q=pragma query_only",
            "?q=pragma integrity_check",
            "?q=select random(), hex(randomblob(4))",
            "?q=select changes(), total_changes(), last_insert_rowid()",
            "?q=select name, count(*), sum(id) from t group by name order by 1",
            "?q=delete from t",
        ] {
            let path = format!("{database}{after}");
            // A process that reads once prepares nothing.
            let expected = cli.run(&[path.as_str()]);
            for _ in 0..3 {
                let _after = AfterReply::new();
                match reader.session().read(path.as_str()) {
                    Ok(reply) => assert_eq!(
                        reply.text().trim_end(),
                        expected.stdout.trim_end(),
                        "{path}"
                    ),
                    Err(failure) => assert!(
                        !failure.message.is_empty() && expected.stderr.contains(&failure.message),
                        "{path}: {failure}"
                    ),
                }
            }
        }
    }
}

/// Tables that are not databases are in memory, without a prepared connection, and their random numbers are equal in
/// every read, so that the pages of an order by them are consistent.
#[test]
fn tables_of_text_have_the_random_numbers_of_a_process_that_reads_once() {
    let workspace = Workspace::new();
    workspace.file("d.csv", "a,b\n1,x\n2,y\n");
    workspace.file("d.jsonl", "{\"a\": 1}\n{\"a\": 2}\n");
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let reader = workspace.builder().build().unwrap();
    for path in [
        "d.csv?q=select random(), a from d",
        "d.jsonl?q=select random(), a from d",
    ] {
        let expected = cli.run(&[path]);
        for _ in 0..4 {
            let _after = AfterReply::new();
            let reply = reader.session().read(path).unwrap();
            assert_eq!(
                reply.text().trim_end(),
                expected.stdout.trim_end(),
                "{path}"
            );
        }
    }
}
