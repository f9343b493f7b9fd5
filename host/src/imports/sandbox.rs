//! The import `sandbox`: the rules of the host that affected the calls of a read.

use crate::artifacts;
use crate::bindings::omniread::parts::sandbox::{self, Host};
use crate::bindings::wasi::filesystem::types::ErrorCode;
use crate::handles::{Descriptor, EntryStream};
use crate::sandbox::{Refusal, View, Wanted};
use crate::state::State;
use std::time::Duration;
use wasmtime::Result;
use wasmtime::component::Resource;

/// The engine with a name, as the reader knows it.
fn engine(name: &str) -> Option<sandbox::Engine> {
    Some(match name {
        "sqlite" => sandbox::Engine::Sqlite,
        "images" => sandbox::Engine::Images,
        "documents" => sandbox::Engine::Documents,
        "pdf" => sandbox::Engine::Pdf,
        _ => return None,
    })
}

impl State {
    /// The schemes of the internal URLs for which the host has resources.
    fn schemes(&self) -> Vec<String> {
        let mut schemes = self.access.providers.schemes();
        let own = artifacts::SCHEME.to_owned();
        // The artifacts of a session in memory are named where they are made.
        if self.session.on_disk && !schemes.contains(&own) {
            schemes.push(own);
        }
        schemes
    }
}

impl Host for State {
    fn get_capabilities(&mut self) -> Result<sandbox::Capabilities> {
        Ok(sandbox::Capabilities {
            engines: self.engines.names().filter_map(engine).collect(),
            network: self.has_network(),
            schemes: self.schemes(),
        })
    }

    fn refused(&mut self) -> Result<Option<sandbox::Refusal>> {
        let refusal = self.system.filesystem.refusal.clone();
        Ok(refusal.map(|refusal| match refusal {
            Refusal::Denied(rule) => sandbox::Refusal::Denied(rule),
            Refusal::Size(limit) => sandbox::Refusal::Size(limit),
            Refusal::Unverified(why) => sandbox::Refusal::Unverified(why.to_owned()),
            Refusal::Unavailable(what) => sandbox::Refusal::Unavailable(what.to_owned()),
        }))
    }

    fn request_failed(&mut self) -> Result<Option<sandbox::RequestFailure>> {
        // The request of a read that was stopped fails too, and the read ends here.
        self.stop().check_waiting()?;
        #[cfg(feature = "net")]
        let failure = self.hooks.last_failure();
        #[cfg(feature = "net")]
        let failure = failure.as_ref().and_then(super::http::request_failure);
        #[cfg(not(feature = "net"))]
        let failure = None;
        Ok(failure)
    }

    fn sends_requests(&mut self) -> Result<bool> {
        Ok(cfg!(feature = "net"))
    }

    #[cfg(feature = "net")]
    fn send_request(
        &mut self,
        url: String,
        headers: Vec<(String, String)>,
    ) -> Result<Option<std::result::Result<sandbox::Response, sandbox::RequestFailure>>> {
        super::http::send(self, &url, &headers)
    }

    #[cfg(not(feature = "net"))]
    fn send_request(
        &mut self,
        _: String,
        _: Vec<(String, String)>,
    ) -> Result<Option<std::result::Result<sandbox::Response, sandbox::RequestFailure>>> {
        Ok(None)
    }

    fn get_time(&mut self) -> Result<Option<sandbox::Time>> {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let time = &self.stop().time;
        Ok(Some(sandbox::Time {
            used: millis(time.used()),
            limit: time.limit().map(millis),
        }))
    }

    fn next_entries(
        &mut self,
        directory: Resource<Descriptor>,
        entries: Resource<EntryStream>,
        most: u32,
        metadata: bool,
    ) -> Result<std::result::Result<sandbox::Batch, ErrorCode>> {
        let mut view = View {
            table: &mut self.system.table,
            filesystem: &mut self.system.filesystem,
        };
        view.next_entries(&directory, &entries, most, metadata)
    }

    fn list_folders(
        &mut self,
        directory: Resource<Descriptor>,
        names: Vec<String>,
        most: u32,
    ) -> Result<std::result::Result<Vec<Option<sandbox::Batch>>, ErrorCode>> {
        let mut view = View {
            table: &mut self.system.table,
            filesystem: &mut self.system.filesystem,
        };
        view.list_folders(&directory, names, most)
    }

    fn find_ends(
        &mut self,
        directory: Resource<Descriptor>,
        wanted: sandbox::Ends,
    ) -> Result<std::result::Result<Option<Vec<String>>, ErrorCode>> {
        let mut view = View {
            table: &mut self.system.table,
            filesystem: &mut self.system.filesystem,
        };
        let wanted = Wanted {
            end: wanted.end,
            pruned: wanted.pruned,
            depth: wanted.depth,
            most: usize::try_from(wanted.most)?,
            until: wanted.until,
        };
        view.find_ends(&directory, wanted)
    }

    fn denied_entries(&mut self) -> Result<u64> {
        Ok(self.system.filesystem.denied_entries)
    }

    fn opened(&mut self) -> Result<std::result::Result<Option<String>, String>> {
        Ok(self.system.filesystem.opened(&self.system.table))
    }

    fn denies_members(&mut self) -> Result<bool> {
        Ok(self.system.filesystem.policy.denies_members())
    }

    fn denies(&mut self, member: String) -> Result<Option<String>> {
        Ok(self.system.filesystem.policy.denied_member(&member))
    }
}
