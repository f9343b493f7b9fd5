//! Tests of reads through the library, by kind of content.

#![allow(missing_docs, reason = "a test")]

mod archives;
mod artifacts;
mod databases;
mod dialects;
mod documents;
mod files;
mod git;
mod images;
mod listings;
mod markup;
mod mcp_servers;
mod mounts;
mod mounts_together;
mod notebooks;
mod outlines;
mod prepared;
mod providers;
mod remote;
mod repeat;
mod resources;
mod session;
mod table_queries;
mod tables;
mod text;
mod web;
