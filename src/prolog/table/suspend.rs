//! Suspended computations: the environments between a call and its generator, as data.

use crate::prolog::engine::collect::is_sound;
use crate::prolog::state::choice::Alternative;
use crate::prolog::state::frame::{FRAME_HEADER, FrameKind};
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::{Consumer, FrameShape, Owner, Suspension, TableId};
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::{self, Interruption};

/// No height of a stack: what a captured mark of a catch becomes.
const NOWHERE: u64 = 1 << 45;

impl Machine {
    pub(super) fn suspend_consumer(
        &mut self,
        table: TableId,
        template: Cell,
    ) -> Result<(), Interruption> {
        let suspension = self.capture(table, template)?;
        self.tables.suspended += suspension.bytes();
        let entry = self.tables.get_mut(table);
        entry.consumers.push(Consumer {
            suspension,
            seen: 0,
        });
        // It was late: the answers so far are unseen for it.
        if !entry.answers.is_empty() {
            self.tables.enqueue(table);
        }
        Ok(())
    }

    pub(super) fn suspend_negation(&mut self, table: TableId) -> Result<(), Interruption> {
        let suspension = self.capture(table, Cell::ZERO)?;
        self.tables.suspended += suspension.bytes();
        self.tables.get_mut(table).negations.push(suspension);
        Ok(())
    }

    /// Copies the continuation of the current call up to its generator.
    fn capture(&mut self, table: TableId, template: Cell) -> Result<Suspension, Interruption> {
        // Failing out of a condition or a negation would decide it, while the answer is still to come.
        if self.is_inside_condition() {
            return Err(self.cannot_suspend(table));
        }
        // One record for all environments: what their slots share stays shared in the copy.
        let mut roots = vec![template, self.delays];
        let mut frames = Vec::new();
        let mut frame = self.e;
        // From the caller's environment outwards. A barrier, such as findall, cannot be left half done.
        loop {
            let kind = self.frame_kind(frame);
            if frame == 0 || matches!(kind, FrameKind::Barrier | FrameKind::Query) {
                return Err(self.cannot_suspend(table));
            }
            let size = self.frame_size(frame);
            frames.push(FrameShape {
                cp: self.frame_cp(frame),
                size: size as u32,
                kind,
            });
            let first = frame + FRAME_HEADER;
            // Slots that the clause has yet to fill may point to what backtracking has taken away.
            let slots = self.stack[first..first + size].iter();
            let cells = &self.heap.cells;
            roots.extend(slots.map(|&slot| {
                if is_sound(cells, slot) {
                    slot
                } else {
                    Cell::ZERO
                }
            }));
            if kind == FrameKind::Generator {
                break;
            }
            frame = self.frame_previous(frame);
        }
        // What the continuation derives are answers of the table of its generator.
        let owner = TableId(self.stack[frame + FRAME_HEADER].small_value() as u32);
        let record = self.heap.record(&roots);
        self.heap.stopped()?;
        Ok(Suspension {
            record,
            frames: frames.into_boxed_slice(),
            cp: self.cp,
            owner,
        })
    }

    /// Whether failing here would be taken for failure of a condition or negation, while the call
    /// only waits.
    fn is_inside_condition(&self) -> bool {
        for choice in self.choices.iter().rev() {
            match choice.alternative {
                Alternative::Generator(_)
                | Alternative::NegatedGenerator(_)
                | Alternative::Consumer(..)
                | Alternative::Query => return false,
                Alternative::Condition(_)
                | Alternative::Otherwise
                | Alternative::Negation(_)
                | Alternative::Findall => return true,
                Alternative::Clauses { .. }
                | Alternative::Code(_)
                | Alternative::Goal
                | Alternative::Catch
                | Alternative::Cleanup
                | Alternative::Scan(_)
                | Alternative::Argument(..)
                | Alternative::Answers(..)
                | Alternative::Dead => {}
            }
        }
        false
    }

    /// The call depends on itself through something that must be decided now.
    fn cannot_suspend(&mut self, table: TableId) -> Interruption {
        let (name, arity) = match self.tables.get(table).owner {
            Owner::Predicate(id) => (self.database.get(id).name, self.database.get(id).arity),
            Owner::Goal => (crate::prolog::terms::atoms::NOT_PROVABLE, 1),
        };
        let culprit = error::indicator(&mut self.heap, name, arity);
        error::permission_error(&mut self.heap, "suspend", "tabled_goal", culprit)
    }

    /// Puts a suspended computation back on the stacks; gives the template of its call. The state
    /// is that of the leader's choice point.
    pub(super) fn reinstate(&mut self, suspension: &Suspension) -> Cell {
        let start = self.heap.replay(&suspension.record);
        let template = self.heap.cells[start];
        self.delays = self.heap.cells[start + 1];
        // Heights of choice points that the slots hold are of stacks that are gone; see below.
        let height = Cell::mark(self.choices.len() as u64);
        // Slots lie from the innermost environment outwards, environments are made inwards.
        let mut end = start + 2;
        for shape in &suspension.frames {
            end += shape.size as usize;
        }
        // Cuts inside of the resumed clauses must not go below the leader's choice point.
        self.b0 = self.choices.len();
        for shape in suspension.frames.iter().rev() {
            let size = shape.size as usize;
            let is_catch = shape.kind == FrameKind::Catch;
            self.cp = shape.cp;
            self.allocate(
                size,
                if is_catch {
                    FrameKind::Plain
                } else {
                    shape.kind
                },
            );
            for position in 0..size {
                let cell = self.heap.cells[end - size + position];
                // Choice points of then are gone: cuts reach to the resumption, catches nowhere.
                let cell = if !cell.is_mark() {
                    cell
                } else if is_catch {
                    Cell::mark(NOWHERE)
                } else {
                    height
                };
                self.set_slot(position, cell);
            }
            // The record lists slots from the inside out, so its end belongs to the outermost environment.
            end -= size;
        }
        self.cp = suspension.cp;
        template
    }
}
