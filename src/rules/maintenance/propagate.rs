//! Passing changes on: from fluents to the views, callees first.
//!
//! A row of a view is present while it has derivations. In a recursive component that is not
//! enough, as rows may derive each other in a circle. There, a row that loses a derivation is
//! taken away unless it has one from below the component, with all that is derived from it; then
//! those rows that still have derivations, now from rows that stayed, come back:
//!
//! ```text
//! reach(a). reach(Y) :- reach(X), edge(X,Y).     edge(a,b) goes; edge(b,c) edge(c,b) stay
//!   reach(b) loses one of two derivations: away, and with it reach(c); neither has any left
//! ```
//!
//! Source: \[HMH18\], delete and rederive with counts.

use crate::limits::Limits;
use crate::rules::code::RelationId;
use crate::rules::maintenance::obstacle::Halt;
use crate::rules::maintenance::plan_run::{Delta, Direction, POLL_INTERVAL, PlanRun};
use crate::rules::maintenance::plans::PlanAddress;
use crate::rules::maintenance::views::{Maintenance, Occurrences, View};
use crate::rules::maintenance::workspace::Workspace;
use crate::rules::relation::{Relation, RowId};
use crate::term::{Store, TermId};

/// What a change of a row costs besides its plans, in steps: it moves in and out of indexes.
const CHANGE_STEPS: u64 = 2;

impl Maintenance {
    /// Steps of plans made so far.
    pub(in crate::rules) fn work(&self) -> u64 {
        self.workspace.work
    }

    /// Allows so much work until this is called again.
    pub(in crate::rules) fn allow(&mut self, work: u64) {
        let Workspace {
            work: done,
            allowed,
            pause,
            ..
        } = &mut self.workspace;
        *allowed = done.saturating_add(work);
        *pause = (*done + POLL_INTERVAL).min(*allowed);
    }

    /// Fills the views with what holds when no fluent does, by the plans made for that.
    pub(in crate::rules) fn start(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        wholes: Vec<PlanAddress>,
        limits: &Limits,
    ) -> Result<(), Halt> {
        // No row has changed: these plans join everything, and no look-up passes over a row with this number.
        let delta = Delta {
            row: RowId::NONE,
            direction: Direction::Gain,
        };
        self.reserve();
        for start in wholes {
            self.apply_delta_rule(store, relations, start, delta, limits)?;
        }
        self.propagate(store, relations, limits)
    }

    /// Makes a row of a relation present or absent and notes what gains or loses derivations.
    pub(in crate::rules) fn change(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        (relation, row, present): (RelationId, RowId, bool),
        limits: &Limits,
    ) -> Result<(), Halt> {
        // Invariant while the plans run: the changed row is present, whether it comes or goes. Derivations gained
        // and lost are found by the same plans then, over the same rows, and `past_delta` alone decides which
        // places see the row.
        if present {
            relations[relation.index()].insert(row);
        }
        self.workspace.work += CHANGE_STEPS;
        // By number and not by iterator: the plans below need all of `self`.
        let count = self.matching(relations, relation, row);
        for number in 0..count {
            let occurrences = &self.occurrences[relation.index()];
            let Some(places) = &occurrences.by_row[row.index()] else {
                break;
            };
            let place = &occurrences.places[places[number] as usize];
            let cells = relations[relation.index()].cells(row);
            for output in self.plans.outputs(place.out) {
                self.workspace.registers[output.register.0 as usize] =
                    cells[output.column as usize];
            }
            // A row that comes under a negation takes derivations away: `free(1,1)` loses its one when
            // `occupied(1,1)` comes.
            let direction = if present == place.positive {
                Direction::Gain
            } else {
                Direction::Loss
            };
            let (start, delta) = (place.start, Delta { row, direction });
            self.apply_delta_rule(store, relations, start, delta, limits)?;
        }
        if !present {
            relations[relation.index()].remove(row);
        }
        Ok(())
    }

    /// The number of places that can match a row; which they are is noted for it.
    fn matching(&mut self, relations: &[Relation], relation: RelationId, row: RowId) -> usize {
        let Some(Occurrences { places, by_row }) = self.occurrences.get_mut(relation.index())
        else {
            return 0;
        };
        if places.is_empty() {
            return 0;
        }
        if by_row.len() <= row.index() {
            by_row.resize(row.index() + 1, None);
        }
        by_row[row.index()]
            // `cell(1,1,w)` can match `true(cell(X,Y,w))` and not `true(cell(X,Y,b))`: found out once for each row.
            .get_or_insert_with(|| {
                let cells = relations[relation.index()].cells(row);
                let matching = places.iter().enumerate().filter(|(_, place)| {
                    let mut constants = place.constants.iter();
                    constants.all(|&(column, term)| cells[column] == term)
                });
                matching.map(|(number, _)| number as u32).collect()
            })
            .len()
    }

    /// Makes room for the registers of the plans.
    pub(super) fn reserve(&mut self) {
        let registers = &mut self.workspace.registers;
        if registers.len() < self.plans.registers as usize {
            registers.resize(self.plans.registers as usize, TermId::from_index(0));
        }
    }

    /// Brings all views up to date.
    pub(in crate::rules) fn propagate(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        limits: &Limits,
    ) -> Result<(), Halt> {
        // Components are in topological order. What a view sees of the ones below is new already, and it is passed
        // on in the order in which `change` was called for it: each row at most once.
        for component in 0..self.components.len() {
            let first = self.components[component].first();
            if first.is_some_and(|&view| self.views[view as usize].recursive) {
                // Delete, then rederive. The first sweep takes away every row that lost a derivation and has none
                // from below the component: too many, for it may have had another one inside. The second brings
                // back those whose count is still positive.
                self.sweep(store, relations, component, false, limits)?;
                self.sweep(store, relations, component, true, limits)?;
            } else if let Some(&view) = first {
                self.refresh(store, relations, view, limits)?;
            }
        }
        Ok(())
    }

    /// Brings a view that is not recursive up to date.
    fn refresh(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        view: u32,
        limits: &Limits,
    ) -> Result<(), Halt> {
        let View {
            relation, touched, ..
        } = &mut self.views[view as usize];
        let relation = *relation;
        let mut rows = std::mem::take(touched);
        for row in rows.drain(..) {
            // The mark goes before the row is passed on: what that gives to this row again is a new entry.
            let entry = &mut self.views[view as usize];
            entry.is_touched[row.index()] = false;
            let present = entry.derivations[row.index()] > 0;
            // A row touched twice whose counts cancel, `1 - 1 + 1`, is dropped here.
            if present != relations[relation.index()].is_present(row) {
                self.change(store, relations, (relation, row, present), limits)?;
            }
        }
        // The room is kept for the next time.
        self.views[view as usize].touched = rows;
        Ok(())
    }

    /// In a recursive component, brings in rows that have derivations, or takes away those that lost
    /// one and may have none but from themselves.
    fn sweep(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        component: usize,
        comes: bool,
        limits: &Limits,
    ) -> Result<(), Halt> {
        // A fixpoint: what one member's rows lose or gain can touch any other member of the component.
        let mut again = true;
        while std::mem::take(&mut again) {
            for member in 0..self.components[component].len() {
                let view = self.components[component][member] as usize;
                while let Some(row) = self.views[view].next(comes) {
                    again = true;
                    let entry = &self.views[view];
                    let relation = entry.relation;
                    // Between note and now the row may have got another support from below, or may have come and
                    // gone.
                    if entry.is_due(row, comes)
                        && relations[relation.index()].is_present(row) != comes
                    {
                        self.change(store, relations, (relation, row, comes), limits)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a plan; the registers of the changed row are bound.
    fn apply_delta_rule(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        start: PlanAddress,
        delta: Delta,
        limits: &Limits,
    ) -> Result<(), Halt> {
        let Self {
            plans,
            views,
            workspace,
            ..
        } = self;
        let mut run = PlanRun {
            store,
            relations,
            plans,
            views,
            workspace,
            delta,
            limits,
        };
        run.derivations(start)
    }
}
