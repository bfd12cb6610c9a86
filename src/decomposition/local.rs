//! The local moves of a part: what its players choose among, whatever is moved elsewhere.

use crate::decomposition::classes::Classes;

/// The moves of one role as one part sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalMoves {
    /// Moves, by place, with the same effect on the part and the same legality there: one local move each.
    pub classes: Vec<Vec<usize>>,
    /// Moves that are made in other parts; none if every move is one in this part.
    pub elsewhere: Vec<usize>,
}

impl LocalMoves {
    /// All classes, what is moved elsewhere among them.
    pub(super) fn all(&self) -> impl Iterator<Item = &[usize]> {
        let classes = self.classes.iter().chain([&self.elsewhere]);
        classes.map(Vec::as_slice).filter(|moves| !moves.is_empty())
    }
}

/// The local moves of a role, by part; none in a part that the role has no influence on.
///
/// In a sum the moves that are made in one part are alike for the other: they are no choice there. In a product
/// each move is one in both.
pub(super) fn by_part(parts: &[Classes]) -> Vec<LocalMoves> {
    let places = 0..parts.len();
    let movable: Vec<usize> = places.filter(|&part| parts[part].count > 1).collect();
    let act_together = |one: usize, other: usize| {
        let mut moves = 0..parts[one].of.len();
        moves.any(|mv| parts[one].is_active(mv) && parts[other].is_active(mv))
    };
    let moves = parts.iter().enumerate().map(|(part, classes)| {
        if classes.count < 2 {
            return LocalMoves::default();
        }
        let mut others = movable.iter().filter(|&&other| other != part);
        let is_in_sum = others.any(|&other| !act_together(part, other));
        let (elsewhere, own): (Vec<u32>, Vec<u32>) =
            (0..classes.count).partition(|&class| is_in_sum && class == classes.neutral);
        let members = |class: u32| classes.members(class).collect::<Vec<usize>>();
        LocalMoves {
            classes: own.into_iter().map(members).collect(),
            elsewhere: elsewhere.into_iter().flat_map(members).collect(),
        }
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
