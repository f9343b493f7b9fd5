//! The document type.

/// A document type.
#[derive(Default)]
pub struct Doctype {
    pub name: Vec<u8>,
    pub public: Vec<u8>,
    pub system: Option<Vec<u8>>,
    /// Whether the declaration is incomplete.
    pub is_damaged: bool,
}

/// The starts of the public identifiers of old pages, in lower case. The HTML standard (13.2.6.4.1)
/// lists each, and most differ in their last words only.
const OLD: [&[u8]; 22] = [
    b"+//silmaril//dtd html pro",
    b"-//as//dtd html 3.0 aswedit",
    b"-//advasoft ltd//dtd html 3.0 aswedit",
    b"-//ietf//dtd html",
    b"-//metrius//dtd metrius presentational",
    b"-//microsoft//dtd internet explorer",
    b"-//netscape comm. corp.//dtd",
    b"-//o'reilly and associates//dtd html",
    b"-//sq//dtd html 2.0 hotmetal",
    b"-//softquad software//dtd hotmetal pro",
    b"-//softquad//dtd hotmetal pro",
    b"-//spyglass//dtd html 2.0 extended",
    b"-//sun microsystems corp.//dtd hotjava",
    b"-//w3c//dtd html 3",
    b"-//w3c//dtd html 4.0 frameset",
    b"-//w3c//dtd html 4.0 transitional",
    b"-//w3c//dtd html experimental",
    b"-//w3c//dtd w3 html",
    b"-//w3o//dtd w3 html",
    b"-//webtechs//dtd mozilla html",
    b"-/w3c/dtd html 4.0 transitional/en",
    b"html",
];

/// The starts of the public identifiers of pages that are old without a system identifier.
const OLD_WITHOUT_SYSTEM: [&[u8]; 2] = [
    b"-//w3c//dtd html 4.01 frameset//",
    b"-//w3c//dtd html 4.01 transitional//",
];

impl Doctype {
    /// Whether the page is one that browsers show in quirks mode.
    pub fn is_old(&self) -> bool {
        let public = self.public.to_ascii_lowercase();
        let starts = |list: &[&[u8]]| list.iter().any(|start| public.starts_with(start));
        let system = self.system.as_deref();
        self.is_damaged
            || self.name != b"html"
            || starts(&OLD)
            || (system.is_none() && starts(&OLD_WITHOUT_SYSTEM))
            || system.is_some_and(|system| {
                system.eq_ignore_ascii_case(
                    b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd",
                )
            })
    }
}
