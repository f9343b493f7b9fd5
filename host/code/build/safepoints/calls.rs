//! The functions of a module that can call themselves.

/// Returns for each function whether a chain of calls leads from it back to it. `calls` has the functions that each
/// function calls.
///
/// These are the functions in the strongly connected components of the calls, which the algorithm of Tarjan finds in one
/// pass ("Depth-first search and linear graph algorithms", 1972).
pub fn recursive(calls: &[Vec<usize>]) -> Vec<bool> {
    let mut search = Search {
        calls,
        order: vec![None; calls.len()],
        lowest: vec![0; calls.len()],
        is_open: vec![false; calls.len()],
        open: Vec::new(),
        visited: 0,
        recursive: vec![false; calls.len()],
    };
    for function in 0..calls.len() {
        if search.order[function].is_none() {
            search.visit(function);
        }
    }
    search.recursive
}

struct Search<'c> {
    calls: &'c [Vec<usize>],
    /// The number of functions that were visited before this one.
    order: Vec<Option<usize>>,
    /// The lowest order of the open functions that this one was found to reach.
    lowest: Vec<usize>,
    /// Whether the function is in `open`.
    is_open: Vec<bool>,
    /// The visited functions whose component is not complete.
    open: Vec<usize>,
    visited: usize,
    recursive: Vec<bool>,
}

impl Search<'_> {
    /// Visits all functions that can be reached from this one. Chains of calls may be long, so the search has a list in
    /// place of a stack.
    fn visit(&mut self, first: usize) {
        self.enter(first);
        let mut path = vec![(first, 0)];
        while let Some((function, next)) = path.last_mut() {
            let function = *function;
            if let Some(&called) = self.calls[function].get(*next) {
                *next += 1;
                self.recursive[function] |= called == function;
                match self.order[called] {
                    None => {
                        self.enter(called);
                        path.push((called, 0));
                    }
                    Some(order) if self.is_open[called] => {
                        self.lowest[function] = self.lowest[function].min(order);
                    }
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            self.leave(function);
            if let Some((caller, _)) = path.last() {
                self.lowest[*caller] = self.lowest[*caller].min(self.lowest[function]);
            }
        }
    }

    fn enter(&mut self, function: usize) {
        self.order[function] = Some(self.visited);
        self.lowest[function] = self.visited;
        self.visited += 1;
        self.open.push(function);
        self.is_open[function] = true;
    }

    /// Completes the component of a function, if it is the first one of it.
    fn leave(&mut self, function: usize) {
        if self.order[function] != Some(self.lowest[function]) {
            return;
        }
        let first = self.open.iter().rposition(|open| *open == function);
        let members = self.open.split_off(first.unwrap_or(0));
        for member in &members {
            self.is_open[*member] = false;
            self.recursive[*member] |= members.len() > 1;
        }
    }
}
