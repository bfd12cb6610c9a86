//! The local moves of a part: what its players choose among, whatever is moved elsewhere.

use petgraph::unionfind::UnionFind;

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
/// Parts in which a move acts together are played together: each of their moves is one in all of them. Moves
/// that act in none of these are made elsewhere, in a sum; they are no choice there.
pub(super) fn by_part(parts: &[Classes]) -> Vec<LocalMoves> {
    let cluster_of = clusters(parts);
    let mut is_alone = cluster_of.iter().flatten();
    let first = is_alone.next();
    let is_single = is_alone.all(|cluster| Some(cluster) == first);
    let moves = parts.iter().enumerate().map(|(part, classes)| {
        let Some(cluster) = cluster_of[part] else {
            return LocalMoves::default();
        };
        let mut together = (0..parts.len()).filter(|&other| cluster_of[other] == Some(cluster));
        let together: Vec<usize> = together.by_ref().collect();
        let is_own =
            |&mv: &usize| is_single || together.iter().any(|&one| parts[one].is_active(mv));
        let local = (0..classes.count).map(|class| classes.members(class).filter(is_own).collect());
        let elsewhere = (0..classes.of.len()).filter(|mv| !is_own(mv)).collect();
        LocalMoves {
            classes: local
                .filter(|moves: &Vec<usize>| !moves.is_empty())
                .collect(),
            elsewhere,
        }
    });
    moves.collect()
}

/// By part in which there is a choice, the number of its cluster: parts with a move that acts in both are in the
/// same one.
fn clusters(parts: &[Classes]) -> Vec<Option<usize>> {
    let mut joined = UnionFind::new(parts.len());
    let movable: Vec<usize> = (0..parts.len())
        .filter(|&part| parts[part].count > 1)
        .collect();
    let moves = parts.first().map_or(0, |classes| classes.of.len());
    for mv in 0..moves {
        let active: Vec<usize> = movable
            .iter()
            .copied()
            .filter(|&part| parts[part].is_active(mv))
            .collect();
        for pair in active.windows(2) {
            joined.union(pair[0], pair[1]);
        }
    }
    let of = |part: usize| (parts[part].count > 1).then(|| joined.find(part));
    (0..parts.len()).map(of).collect()
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
