//! Trees to terms on the heap.

use crate::prolog::state::flags::Quotes;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::syntax::{Document, Name, Node, NodeId, Source};
use crate::term::SymbolId;

/// Names of variables with the variables.
pub(in crate::prolog) type VariableNames = Vec<(String, Cell)>;

impl Machine {
    /// The term of a node, with its variables and their names.
    pub(in crate::prolog) fn load_term(
        &mut self,
        document: &Document,
        source: &Source,
        node: NodeId,
    ) -> (Cell, VariableNames) {
        let mut names = Vec::new();
        let term = self.load_node(document, source, node, &mut names);
        (term, names)
    }

    pub(super) fn load_node(
        &mut self,
        document: &Document,
        source: &Source,
        root: NodeId,
        names: &mut VariableNames,
    ) -> Cell {
        // Each entry is a node and the heap cell that it fills.
        let anchor = self.heap.cells.len();
        self.heap.cells.push(Cell::ZERO);
        let mut work = vec![(root, anchor)];
        while let Some((node, place)) = work.pop() {
            let cell = match document.node(node) {
                Node::Compound { functor, arguments } => {
                    let symbol = self.symbol_of(document, source, functor);
                    let children = document.children(arguments);
                    let (compound, first) = self.unfilled_compound(symbol, children.len());
                    for (position, &child) in children.iter().enumerate().rev() {
                        work.push((child, first + position));
                    }
                    compound
                }
                Node::Variable(name) => {
                    let name = document.name(source, name);
                    self.named_variable(name, place, names)
                }
                Node::Symbol(name) => Cell::atom(self.symbol_of(document, source, name)),
                Node::Integer(value) => self.heap.integer(value),
                Node::Float(value) => self.heap.float(value),
                Node::Big(name) => {
                    let value = document.name(source, name).parse().unwrap_or_default();
                    self.heap.big_integer(&value)
                }
                Node::Text(name) => {
                    let text = document.name(source, name).to_owned();
                    self.quoted_text(&text)
                }
            };
            self.heap.cells[place] = cell;
        }
        self.heap.cells[anchor]
    }

    /// Room for a compound, and the heap index of its first argument.
    fn unfilled_compound(&mut self, name: SymbolId, arity: usize) -> (Cell, usize) {
        let start = self.heap.cells.len();
        // A list cell has no functor in front of head and tail.
        let is_list = name == atoms::DOT && arity == 2;
        if !is_list {
            self.heap.cells.push(Cell::functor(name, arity));
        }
        let first = self.heap.cells.len();
        self.heap.cells.resize(first + arity, Cell::ZERO);
        let compound = if is_list {
            Cell::list(start)
        } else {
            Cell::structure(start)
        };
        (compound, first)
    }

    fn symbol_of(&mut self, document: &Document, source: &Source, name: Name) -> SymbolId {
        self.heap.store.symbol(document.name(source, name))
    }

    /// The variable of a name; it may live in the cell that is being filled.
    fn named_variable(&mut self, name: &str, place: usize, names: &mut VariableNames) -> Cell {
        if name != "_"
            && let Some((_, variable)) = names.iter().find(|(known, _)| known == name)
        {
            return *variable;
        }
        // The first occurrence is the variable itself; later ones refer to its cell.
        let variable = Cell::reference(place);
        names.push((name.to_owned(), variable));
        variable
    }

    /// What a text in double quotes is, as the flag says.
    fn quoted_text(&mut self, text: &str) -> Cell {
        match self.flags.double_quotes {
            Quotes::String => self.heap.text(text),
            Quotes::Atom => self.heap.atom(text),
            Quotes::Codes => {
                let codes: Vec<Cell> = text
                    .chars()
                    .map(|character| Cell::small(i64::from(character as u32)))
                    .collect();
                self.heap.list(&codes)
            }
            Quotes::Chars => {
                let chars: Vec<Cell> = text
                    .chars()
                    .map(|character| self.heap.atom(character.encode_utf8(&mut [0; 4])))
                    .collect();
                self.heap.list(&chars)
            }
        }
    }
}
