//! The order within the rows, chosen so that few edges cross.
//!
//! A link over several rows becomes a chain with a bend in each row between, so that all that is
//! left is pairs of neighbouring rows. The rows are sorted by the mean position of the vertices
//! linked in the row above, then by those below, and so on [STT81]; after each sweep neighbours are
//! exchanged where that undoes crossings. The best of all orders met is kept. Sweeps start from the
//! orders of a few searches through the graph, which leave trees without crossings.
//!
//! Source: \[STT81\], see the module above; exchanging neighbours is from E. R. Gansner et al.: A
//! Technique for Drawing Directed Graphs, IEEE Trans. Software Eng. 19(3), 1993.

/// Vertices in rows, linked from row to row.
#[derive(Clone)]
pub(super) struct Rows {
    /// The vertices of each row from left to right. Those from `nodes` on are bends.
    pub(super) rows: Vec<Vec<usize>>,
    /// How many vertices are nodes.
    pub(super) nodes: usize,
    /// The vertices linked in the next row above, and below.
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
    /// The vertices of each link from the upper end to the lower one, one for each row.
    pub(super) chains: Vec<Vec<usize>>,
    /// The place of each vertex in its row.
    pub(super) place: Vec<usize>,
}

/// Sweeps for each first order, and first orders.
const SWEEPS: usize = 16;
const STARTS: usize = 6;

/// Work is cut down when the number of vertices, times sweeps and starts, exceeds this.
const MOST_VISITS: usize = 400_000;

impl Rows {
    /// Cuts links (upper end, lower end) into chains.
    pub(super) fn new(row: &[usize], links: &[(usize, usize)]) -> Rows {
        let height = row.iter().max().map_or(0, |last| last + 1);
        let mut rows = Rows {
            rows: vec![Vec::new(); height],
            nodes: row.len(),
            above: vec![Vec::new(); row.len()],
            below: vec![Vec::new(); row.len()],
            chains: Vec::new(),
            place: Vec::new(),
        };
        for (vertex, &row) in row.iter().enumerate() {
            rows.rows[row].push(vertex);
        }
        for &(upper, lower) in links {
            let mut chain = vec![upper];
            // Vertices from `nodes` on are bends, one in each row that the link passes.
            for between in row[upper] + 1..row[lower] {
                let bend = rows.above.len();
                rows.above.push(Vec::new());
                rows.below.push(Vec::new());
                rows.rows[between].push(bend);
                chain.push(bend);
            }
            chain.push(lower);
            for pair in chain.windows(2) {
                rows.below[pair[0]].push(pair[1]);
                rows.above[pair[1]].push(pair[0]);
            }
            rows.chains.push(chain);
        }
        rows.note_places();
        rows
    }

    fn note_places(&mut self) {
        self.place.resize(self.above.len(), 0);
        for row in &self.rows {
            for (place, &vertex) in row.iter().enumerate() {
                self.place[vertex] = place;
            }
        }
    }

    /// Whether no two ways lead from one node to another. The graph is connected.
    pub(super) fn is_tree(&self) -> bool {
        self.chains.len() + 1 == self.nodes
    }

    /// How many pairs of edges cross.
    pub(super) fn crossings(&self) -> usize {
        self.rows.iter().map(|row| self.crossings_below(row)).sum()
    }

    /// Counts pairs of edges that start in one order and end in the other, by a Fenwick tree over
    /// the ends.
    fn crossings_below(&self, row: &[usize]) -> usize {
        let ends = row.iter().flat_map(|&upper| {
            let mut ends: Vec<usize> = self.below[upper].iter().map(|&v| self.place[v]).collect();
            ends.sort_unstable();
            ends
        });
        let ends: Vec<usize> = ends.collect();
        let width = ends.iter().max().map_or(0, |last| last + 1);
        let mut tree = vec![0; width + 1];
        let mut crossings = 0;
        for (before, &end) in ends.iter().enumerate() {
            // Prefix sum: how many edges from further left end here or further left. All others cross this one.
            let mut at = end + 1;
            let mut not_right = 0;
            while at > 0 {
                not_right += tree[at];
                at &= at - 1;
            }
            crossings += before - not_right;
            // The end is counted in, for the edges that follow.
            at = end + 1;
            while at <= width {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
        crossings
    }
}

/// Reorders the rows so that few edges cross.
pub(super) fn reduce(rows: &mut Rows) {
    let vertices = rows.above.len();
    let rounds = (MOST_VISITS / vertices.max(1)).clamp(4, SWEEPS * STARTS);
    let mut best = rows.clone();
    let mut fewest = best.crossings();
    for start in 0..(rounds / SWEEPS).clamp(1, STARTS).min(rows.nodes) {
        let mut tried = rows.clone();
        // A depth-first search from another vertex of the first rows each time.
        order_by_search(&mut tried, start);
        // Each order is counted, that of the search first and that of the last sweep as well; one that is worse is not
        // kept.
        for sweep in 0..=SWEEPS.min(rounds) {
            if sweep > 0 {
                sort_rows(&mut tried, sweep % 2 == 1);
                exchange_neighbours(&mut tried);
            }
            let crossings = tried.crossings();
            if crossings < fewest {
                fewest = crossings;
                best.clone_from(&tried);
            }
            if fewest == 0 {
                break;
            }
        }
    }
    *rows = best;
}

/// Fills the rows in the order in which a depth first search meets the vertices.
fn order_by_search(rows: &mut Rows, start: usize) {
    let count = rows.above.len();
    let first = rows
        .rows
        .iter()
        .flatten()
        .copied()
        .filter(|&v| v < rows.nodes);
    let starts: Vec<usize> = first.skip(start).chain(0..count).collect();
    let mut row_of = vec![0; count];
    for (row, members) in rows.rows.iter_mut().enumerate() {
        members.drain(..).for_each(|vertex| row_of[vertex] = row);
    }
    let mut met = vec![false; count];
    let mut stack = Vec::new();
    for start in starts {
        stack.push(start);
        while let Some(vertex) = stack.pop() {
            if std::mem::replace(&mut met[vertex], true) {
                continue;
            }
            rows.rows[row_of[vertex]].push(vertex);
            stack.extend(rows.above[vertex].iter().rev());
            stack.extend(rows.below[vertex].iter().rev());
        }
    }
    rows.note_places();
}

/// Sorts each row by the mean place of the linked vertices in the row before.
fn sort_rows(rows: &mut Rows, down: bool) {
    let height = rows.rows.len();
    for step in 1..height {
        let row = if down { step } else { height - 1 - step };
        let linked = if down { &rows.above } else { &rows.below };
        let mean = |vertex: usize| {
            let places = linked[vertex].iter().map(|&v| rows.place[v] as f64);
            places.sum::<f64>() / linked[vertex].len() as f64
        };
        // Vertices without a link in that direction keep their place.
        let movable = |&&vertex: &&usize| !linked[vertex].is_empty();
        let mut sorted: Vec<(f64, usize)> = rows.rows[row]
            .iter()
            .filter(movable)
            .map(|&v| (mean(v), v))
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sorted = sorted.into_iter();
        for place in 0..rows.rows[row].len() {
            let vertex = rows.rows[row][place];
            if !linked[vertex].is_empty()
                && let Some((_, next)) = sorted.next()
            {
                rows.rows[row][place] = next;
            }
        }
        for (place, &vertex) in rows.rows[row].iter().enumerate() {
            rows.place[vertex] = place;
        }
    }
}

/// Exchanges neighbours as long as that undoes crossings.
fn exchange_neighbours(rows: &mut Rows) {
    for row in 0..rows.rows.len() {
        // Each exchange undoes a crossing, so this ends; the bound is on time.
        for _ in 0..8 {
            let mut exchanged = false;
            for place in 1..rows.rows[row].len() {
                let (left, right) = (rows.rows[row][place - 1], rows.rows[row][place]);
                if crossings_of(rows, left, right) > crossings_of(rows, right, left) {
                    rows.rows[row].swap(place - 1, place);
                    rows.place.swap(left, right);
                    exchanged = true;
                }
            }
            if !exchanged {
                break;
            }
        }
    }
}

/// How many edges of two neighbours cross, if they stand in this order.
fn crossings_of(rows: &Rows, left: usize, right: usize) -> usize {
    let crossing = |linked: &[Vec<usize>]| {
        let pairs = linked[left]
            .iter()
            .flat_map(|&a| linked[right].iter().map(move |&b| (a, b)));
        pairs
            .filter(|&(a, b)| rows.place[a] > rows.place[b])
            .count()
    };
    crossing(&rows.above) + crossing(&rows.below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_counted() {
        let rows = Rows::new(&[0, 0, 1, 1], &[(0, 3), (1, 2), (0, 2), (1, 3)]);
        assert_eq!(rows.crossings(), 1);
        let straight = Rows::new(&[0, 0, 1, 1], &[(0, 2), (1, 3)]);
        assert_eq!(straight.crossings(), 0);
    }

    #[test]
    fn long_links_bend_in_each_row() {
        let rows = Rows::new(&[0, 1, 3], &[(0, 1), (1, 2), (0, 2)]);
        assert_eq!(rows.chains[1], [1, 3, 2]);
        assert_eq!(rows.chains[2], [0, 4, 5, 2]);
        assert_eq!(rows.rows, [vec![0], vec![1, 4], vec![3, 5], vec![2]]);
    }

    #[test]
    fn trees_need_no_crossings() {
        let links: Vec<_> = (1..31).map(|v| ((v - 1) / 2, v)).collect();
        let row: Vec<usize> = (1..32_usize).map(|v| v.ilog2() as usize).collect();
        let mut rows = Rows::new(&row, &links);
        for row in &mut rows.rows {
            row.sort_by_key(|v| v * 7 % 11);
        }
        rows.note_places();
        assert!(rows.crossings() > 0);
        reduce(&mut rows);
        assert_eq!(rows.crossings(), 0);
    }
}
