//! Single-observer information-set tree search (Cowling, Powley, Whitehouse, "Information Set Monte Carlo
//! Tree Search", 2012).
//!
//! There is one tree for all deals. Every pass draws a deal, and descends the tree along moves that are legal in it. It
//! adds one node, and the player finishes the round. Each seat selects the move with its highest upper confidence
//! bound. The bound of a move counts only the passes in which it was legal. The player chooses moves that the searching
//! seat cannot see, and they share one node.

use cardsharp_env::{ActionId, MAX_SEATS, Payoff, Playout, Seat, mask};

use super::player::Player;
use super::score::Scores;

/// The exploration constant for rewards from 0 to 1 (the value of the paper).
const EXPLORATION: f64 = 0.7;
/// Represents all moves that the searching seat does not see.
const UNSEEN: ActionId = ActionId(u16::MAX);
const NONE: u32 = u32::MAX;

/// A position as the searching seat sees it: the moves that lead to it.
struct Node {
    action: ActionId,
    /// The first child, and the next child of the same parent.
    child: u32,
    next: u32,
    /// Number of passes through it.
    visits: u32,
    /// Number of passes through its parent in which its move was legal.
    chances: u32,
    /// Sum of the rewards of the seat that made the last move.
    sum: f64,
}

/// A search tree, whose memory is reused for the next decision.
#[derive(Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The nodes of the current pass, each with the seat that moved to it.
    path: Vec<(u32, Seat)>,
    /// The smallest and the greatest reward of each seat so far.
    range: [(f32, f32); MAX_SEATS],
}

impl Tree {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(UNSEEN, NONE));
        self.range = [(f32::MAX, f32::MIN); MAX_SEATS];
    }

    /// Descends to a new node, and returns the first move.
    pub(super) fn descend(
        &mut self,
        searcher: Seat,
        round: &mut dyn Playout,
        player: &mut Player,
        scores: &Scores,
    ) -> ActionId {
        self.path.clear();
        let (mut at, mut first) = (0, None);
        while let Some(seat) = round.turn() {
            let own = player.choose(round);
            let hidden = seat != searcher && !round.is_public(own);
            let (action, node, new) = if hidden {
                let known = self.find(at, UNSEEN);
                (own, known.unwrap_or_else(|| self.add(at, UNSEEN)), known.is_none())
            } else if at == 0 {
                self.select(at, seat, scores.moves.iter().map(|score| score.action), own)
            } else {
                self.select(at, seat, mask::actions(player.legal(round)), own)
            };
            first = first.or(Some(action));
            self.path.push((node, seat));
            round.play(action);
            at = node;
            if new {
                break;
            }
        }
        first.unwrap_or_default()
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.nodes[node as usize].child;
        std::iter::from_fn(move || {
            let node = next;
            (node != NONE).then(|| {
                next = self.nodes[node as usize].next;
                node
            })
        })
    }

    fn find(&self, node: u32, action: ActionId) -> Option<u32> {
        self.children(node).find(|&child| self.nodes[child as usize].action == action)
    }

    fn add(&mut self, parent: u32, action: ActionId) -> u32 {
        let number = self.nodes.len() as u32;
        let next = std::mem::replace(&mut self.nodes[parent as usize].child, number);
        self.nodes.push(Node::new(action, next));
        number
    }

    /// Selects a move. Returns the move, its node, and whether the node is new. Untried moves come first, and among
    /// them the player's `own`. Otherwise the highest bound wins.
    fn select(
        &mut self,
        at: u32,
        seat: Seat,
        legal: impl Iterator<Item = ActionId>,
        own: ActionId,
    ) -> (ActionId, u32, bool) {
        let (mut best, mut fresh) = ((f64::MIN, own, NONE), None);
        let (low, high) = self.range[seat.index()];
        let (low, scale) = (f64::from(low), 1.0 / f64::from((high - low).max(f32::MIN_POSITIVE)));
        for action in legal {
            match self.find(at, action) {
                None if fresh.is_none() || action == own => fresh = Some(action),
                None => {}
                Some(child) => {
                    let node = &mut self.nodes[child as usize];
                    node.chances += 1;
                    let visits = f64::from(node.visits.max(1));
                    let mean = (node.sum / visits - low) * scale;
                    let bound = mean + EXPLORATION * (logarithm(node.chances) / visits).sqrt();
                    if bound > best.0 {
                        best = (bound, action, child);
                    }
                }
            }
        }
        match fresh {
            Some(action) => (action, self.add(at, action), true),
            None => (best.1, best.2, false),
        }
    }

    /// Adds the result of a round to the nodes of the current pass.
    pub(super) fn learn(&mut self, payoff: &Payoff) {
        for &(node, seat) in &self.path {
            let (node, reward) = (&mut self.nodes[node as usize], payoff.reward[seat.index()]);
            node.visits += 1;
            node.sum += f64::from(reward);
            let (low, high) = &mut self.range[seat.index()];
            (*low, *high) = (low.min(reward), high.max(reward));
        }
    }
}

/// Returns the natural logarithm of `n` (at least 1) to within 0.01, with the same bits on every machine.
fn logarithm(n: u32) -> f64 {
    let doublings = n.max(1).ilog2();
    let rest = f64::from(n.max(1)) / f64::from(1u32 << doublings) - 1.0;
    std::f64::consts::LN_2 * (f64::from(doublings) + rest * (4.0 - rest) / 3.0)
}

impl Node {
    fn new(action: ActionId, next: u32) -> Self {
        Self { action, child: NONE, next, visits: 0, chances: 1, sum: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_logarithm_is_close() {
        for n in 1..10_000 {
            assert!((super::logarithm(n) - f64::from(n).ln()).abs() < 0.01, "{n}");
        }
    }
}
