//! A proxy that leads the names of services to servers on this machine.

use super::Server;
use std::collections::BTreeMap;
use std::io::{Read, Write, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// A proxy for HTTPS: `CONNECT example.com:443` connects to the server in place of `example.com`.
pub struct Proxy {
    port: u16,
}

impl Proxy {
    /// Starts a proxy. Each name leads to a server; any other is refused.
    ///
    /// # Panics
    /// Panics if the machine has no free port.
    pub fn start<'s>(names: impl IntoIterator<Item = (&'s str, &'s Server)>) -> Self {
        let ports = names.into_iter();
        let ports = ports.map(|(name, server)| (format!("{name}:443"), server.port()));
        let ports: Arc<BTreeMap<String, u16>> = Arc::new(ports.collect());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let ports = Arc::clone(&ports);
                thread::spawn(move || tunnel(client, &ports));
            }
        });
        Self { port }
    }

    /// The address, for `--proxy`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

fn tunnel(mut client: TcpStream, ports: &BTreeMap<String, u16>) -> Option<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > 1 << 16 || client.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let target = head.strip_prefix("CONNECT ")?.split(' ').next()?;
    let Some(port) = ports.get(target) else {
        let refusal = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n";
        return client.write_all(refusal).ok();
    };
    let mut server = TcpStream::connect(("127.0.0.1", *port)).ok()?;
    client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
    let (mut from, mut to) = (client.try_clone().ok()?, server.try_clone().ok()?);
    thread::spawn(move || {
        let _ = copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let _ = copy(&mut server, &mut client);
    client.shutdown(Shutdown::Both).ok()
}
