//! Names of parts.

/// Joins a folder and a relative or absolute target, and resolves `..`.
pub fn join(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let mut segments: Vec<&str> = Vec::new();
    let start = if target.starts_with('/') { "" } else { folder };
    for segment in start.split('/').chain(target.split('/')) {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    segments.join("/")
}
