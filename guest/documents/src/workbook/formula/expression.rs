//! Expressions → text. Each node has one parent, so that the cost is linear.

use crate::limits;

/// The index of a node.
pub type Id = usize;

/// A part of a formula.
#[derive(Debug)]
pub enum Node {
    /// A constant, a reference or a name.
    Text(String),
    /// An operator before its operand.
    Prefix(&'static str, Id),
    /// An operator after its operand.
    Postfix(Id, &'static str),
    /// An operator between its operands.
    Binary(Id, &'static str, Id),
    /// Parentheses.
    Group(Id),
    /// A function and its arguments.
    Call(String, Vec<Id>),
}

/// The nodes of a formula.
#[derive(Debug, Default)]
pub struct Expression {
    nodes: Vec<Node>,
}

enum Step<'a> {
    Node(Id),
    Text(&'a str),
}

impl Expression {
    /// Adds a node.
    pub fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len().saturating_sub(1)
    }

    /// Takes the text of a node that is the name of a function.
    pub fn take_text(&mut self, id: Id) -> Option<String> {
        match self.nodes.get_mut(id)? {
            Node::Text(text) => Some(std::mem::take(text)),
            _ => None,
        }
    }

    /// Sets the name of a function.
    pub fn rename(&mut self, id: Id, new: String) {
        if let Some(Node::Call(name, _)) = self.nodes.get_mut(id) {
            *name = new;
        }
    }

    /// Returns the text of a node. A long text is cut.
    pub fn text(&self, root: Id) -> String {
        let mut out = String::new();
        let mut steps = vec![Step::Node(root)];
        while let Some(step) = steps.pop() {
            if out.len() > limits::FORMULA_TEXT {
                out.truncate(out.floor_char_boundary(limits::FORMULA_TEXT));
                out.push('…');
                break;
            }
            let id = match step {
                Step::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Step::Node(id) => id,
            };
            match self.nodes.get(id) {
                Some(Node::Text(text)) => out.push_str(text),
                Some(Node::Prefix(sign, operand)) => {
                    steps.extend([Step::Node(*operand), Step::Text(sign)]);
                }
                Some(Node::Postfix(operand, sign)) => {
                    steps.extend([Step::Text(sign), Step::Node(*operand)]);
                }
                Some(Node::Binary(left, sign, right)) => {
                    steps.extend([Step::Node(*right), Step::Text(sign), Step::Node(*left)]);
                }
                Some(Node::Group(inside)) => {
                    steps.extend([Step::Text(")"), Step::Node(*inside), Step::Text("(")]);
                }
                Some(Node::Call(name, arguments)) => {
                    steps.push(Step::Text(")"));
                    for (index, argument) in arguments.iter().enumerate().rev() {
                        steps.push(Step::Node(*argument));
                        if index > 0 {
                            steps.push(Step::Text(","));
                        }
                    }
                    steps.extend([Step::Text("("), Step::Text(name)]);
                }
                None => {}
            }
        }
        out
    }
}
