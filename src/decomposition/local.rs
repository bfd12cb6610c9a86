//! The local moves of a part: what its players choose among, whatever is moved elsewhere.

use fixedbitset::FixedBitSet;

use crate::decomposition::classes::Classes;

/// The moves of one role in one part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalMoves {
    /// Moves, by place, with the same effect on the part and the same legality there: one local move each.
    pub classes: Vec<Vec<usize>>,
    /// The class, by number, of the moves that do nothing of their own in this part, if those are not all made
    /// elsewhere.
    pub idle: Option<usize>,
    /// Moves that are made in other parts; none if every move is one in this part.
    pub elsewhere: Vec<usize>,
}

impl LocalMoves {
    /// All classes, what is moved elsewhere among them.
    pub(super) fn all(&self) -> impl Iterator<Item = &[usize]> {
        let classes = self.classes.iter().chain([&self.elsewhere]);
        classes.map(Vec::as_slice).filter(|moves| !moves.is_empty())
    }

    /// The moves that do something of their own in this part.
    pub fn active(&self) -> impl Iterator<Item = usize> {
        let classes = self.classes.iter().enumerate();
        let active = classes.filter(|&(class, _)| Some(class) != self.idle);
        active.flat_map(|(_, moves)| moves.iter().copied())
    }
}

/// The local moves of a role, by part; none in a part that the role has no influence on.
///
/// Two parts exclude each other if no move acts in both, as those of a sum do. A move that acts in a part which
/// excludes this one, and not in this one, is made elsewhere; it is no choice here. A move that acts nowhere is
/// a choice in a part that may be left as it is by a move in another one (both may be left), or if no part excludes
/// this one.
pub(super) fn by_part(parts: &[Classes]) -> Vec<LocalMoves> {
    let moves = parts.first().map_or(0, |classes| classes.of.len());
    let active = active(parts, moves);
    let excluded = excluded(parts, &active);
    let of_part = parts.iter().zip(excluded).enumerate();
    let of_part = of_part.map(|(part, (classes, excluded))| {
        if classes.count < 2 {
            return LocalMoves::default();
        }
        // Active somewhere, but not here: elsewhere only if that is in a part which excludes this one. In a product
        // of a and b, a move that is neutral in a is still one in a; it is the choice to leave a as it is.
        let acts_beside = |mv: usize| {
            active[mv].contains(part) || !active[mv].is_clear() && active[mv].is_disjoint(&excluded)
        };
        let can_be_left =
            excluded.is_clear() || (0..moves).any(|mv| acts_beside(mv) && !classes.is_active(mv));
        let is_own = |&mv: &usize| acts_beside(mv) || can_be_left && active[mv].is_clear();
        let mut own = LocalMoves {
            elsewhere: (0..moves).filter(|mv| !is_own(mv)).collect(),
            ..LocalMoves::default()
        };
        for class in classes.ids() {
            let members: Vec<usize> = classes.members(class).filter(is_own).collect();
            if !members.is_empty() {
                if class == classes.neutral {
                    own.idle = Some(own.classes.len());
                }
                own.classes.push(members);
            }
        }
        own
    });
    of_part.collect()
}

/// By move, the parts in which it acts.
fn active(parts: &[Classes], moves: usize) -> Vec<FixedBitSet> {
    let active = (0..moves).map(|mv| {
        let mut active = FixedBitSet::with_capacity(parts.len());
        active.extend((0..parts.len()).filter(|&part| parts[part].is_active(mv)));
        active
    });
    active.collect()
}

/// By part, those with local moves that have no move in common with it.
fn excluded(parts: &[Classes], active: &[FixedBitSet]) -> Vec<FixedBitSet> {
    let mut movable = FixedBitSet::with_capacity(parts.len());
    movable.extend((0..parts.len()).filter(|&part| parts[part].count > 1));
    // Of all parts with moves, those stay that no move of this part acts in as well.
    let mut excluded = vec![movable; parts.len()];
    for (part, excluded) in excluded.iter_mut().enumerate() {
        excluded.remove(part);
        for active in active.iter().filter(|active| active.contains(part)) {
            excluded.difference_with(active);
        }
    }
    excluded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::classes::ClassId;

    /// Moves a, b of one part and c, d of another.
    #[test]
    fn moves_of_a_sum_are_made_elsewhere_for_the_other_part() {
        let one = Classes::by_key([1, 2, 0, 0].into_iter());
        let other = Classes::by_key([0, 0, 1, 2].into_iter());
        let found = by_part(&[one, other]);
        assert_eq!(found[0].classes, vec![vec![0], vec![1]]);
        assert_eq!(found[0].elsewhere, vec![2, 3]);
        assert_eq!(found[1].elsewhere, vec![0, 1]);
    }

    /// The moves (a,c), (a,d), (b,c), (b,d).
    #[test]
    fn moves_of_a_product_are_made_in_both() {
        let one = Classes::by_key([0, 0, 1, 1].into_iter());
        let other = Classes::by_key([0, 1, 0, 1].into_iter());
        let found = by_part(&[one, other]);
        assert_eq!(found[0].classes, vec![vec![0, 1], vec![2, 3]]);
        assert_eq!(found[1].classes, vec![vec![0, 2], vec![1, 3]]);
        assert!(found.iter().all(|moves| moves.elsewhere.is_empty()));
    }

    /// The moves (a,e), (b,e), (c,e), (d,e), of which a and b are of one part and c and d of another one.
    #[test]
    fn a_sum_within_a_product_is_one() {
        let one = Classes::by_key([1, 2, 0, 0].into_iter());
        let other = Classes::by_key([0, 0, 1, 2].into_iter());
        let mut both = Classes::by_key([0, 0, 0, 0].into_iter());
        both.neutral = ClassId::NONE;
        both.count = 2;
        let found = by_part(&[one, other, both]);
        assert_eq!(found[0].elsewhere, vec![2, 3]);
        assert_eq!(found[1].elsewhere, vec![0, 1]);
        assert_eq!(found[2].classes, vec![vec![0, 1, 2, 3]]);
    }
}
