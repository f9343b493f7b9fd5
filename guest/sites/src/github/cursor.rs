//! Pages of a list of files, whose replies may be too large.

/// A page of a list of files. Pages of fewer files take the place of one that is too large.
pub(super) struct Cursor {
    /// The number of files before the page.
    first: u64,
    /// The number of files of a page, by which `first` can be divided.
    size: u64,
    /// The size of a page that is not too large.
    most: u64,
}

impl Cursor {
    /// The first page of a list.
    pub fn new(most: u64) -> Self {
        Self {
            first: 0,
            size: most,
            most,
        }
    }

    /// The parameters of the page.
    pub fn query(&self) -> String {
        let page = self.first.checked_div(self.size).unwrap_or(0);
        let page = page.saturating_add(1);
        format!("per_page={}&page={page}", self.size)
    }

    /// Goes on after the page.
    pub fn next(&mut self) {
        self.first = self.first.saturating_add(self.size);
        if self.first.checked_rem(self.most) == Some(0) {
            self.size = self.most;
        }
    }

    /// Requests fewer files. Returns `false` if the page had only one.
    pub fn shrink(&mut self) -> bool {
        let was_one = self.size <= 1;
        self.size = self.size.checked_div(10).unwrap_or(1).max(1);
        !was_one
    }
}
