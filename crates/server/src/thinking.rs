//! The threads on which bots think, and when a thought ends early.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cardsharp_bot::Stop;
use tokio::sync::oneshot;

/// A table or a request for advice. All flows get the same share of a lane.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flow(u64);

impl Flow {
    /// Returns a flow that differs from all others.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Turns on a fixed number of threads.
///
/// Requests are ordered by the virtual time at which their work would end if all flows got the same share. This is the
/// end of the flow's last work, or now if that is later, plus the cost. So short work goes before long work, and a flow
/// that has used much waits for those that have used little. This is self-clocked fair queueing (Golestani, "A
/// Self-Clocked Fair Queueing Scheme for Broadband Applications", 1994).
pub(crate) struct Lane(Mutex<Queue>);

struct Queue {
    /// Threads without work.
    free: usize,
    /// The virtual time: the end of the work that started last.
    now: u64,
    /// The end of the last work of each flow, if it is later than `now`.
    ends: HashMap<Flow, u64>,
    /// Requests for a turn by the end of their work, and those with the same end by number.
    waiting: BTreeMap<(u64, u64), oneshot::Sender<LaneTurn>>,
    /// The number of the next request.
    number: u64,
}

/// A thread of a lane, until this is dropped.
pub(crate) struct LaneTurn(Option<Arc<Lane>>);

impl Lane {
    pub(crate) fn new(threads: usize) -> Arc<Self> {
        let (ends, waiting) = (HashMap::new(), BTreeMap::new());
        Arc::new(Self(Mutex::new(Queue { free: threads, now: 0, ends, waiting, number: 0 })))
    }

    /// Locks the queue, even after a panic of another holder, which cannot have left it half changed.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn for work of this flow.
    pub(crate) async fn turn(self: &Arc<Self>, flow: Flow, cost: u32) -> LaneTurn {
        let turn = {
            let mut queue = self.lock();
            let begin = queue.ends.get(&flow).copied().unwrap_or_default().max(queue.now);
            let end = begin + u64::from(cost.max(1));
            queue.ends.insert(flow, end);
            if queue.free > 0 {
                queue.free -= 1;
                queue.begin(end);
                return LaneTurn(Some(Arc::clone(self)));
            }
            let (sender, turn) = oneshot::channel();
            let number = queue.number;
            queue.number += 1;
            queue.waiting.insert((end, number), sender);
            turn
        };
        // The sender waits in the queue until it has sent, and `self` keeps the queue.
        turn.await.unwrap_or(LaneTurn(None))
    }

    /// Passes a turn that has ended to the next request.
    fn pass(self: Arc<Self>) {
        loop {
            let mut queue = self.lock();
            let Some(((end, _), next)) = queue.waiting.pop_first() else {
                queue.free += 1;
                return;
            };
            queue.begin(end);
            drop(queue);
            match next.send(LaneTurn(Some(Arc::clone(&self)))) {
                Ok(()) => return,
                // The client has left. The turn is still here, and must not be passed twice.
                Err(mut turn) => turn.0 = None,
            }
        }
    }
}

impl Queue {
    /// Notes that work starts that ends at this virtual time.
    fn begin(&mut self, end: u64) {
        self.now = self.now.max(end);
        if self.ends.len() > 64 + 2 * self.waiting.len() {
            let now = self.now;
            self.ends.retain(|_, end| *end > now);
        }
    }
}

impl Drop for LaneTurn {
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(Lane::pass);
    }
}

/// Ends thoughts early: when no client needs them, when the server stops, or after some time.
#[derive(Clone)]
pub(crate) struct Halt {
    needless: Arc<AtomicBool>,
    closing: Arc<AtomicBool>,
    time: Duration,
}

impl Halt {
    /// Each thought may take `time`. All end once `closing` is set.
    pub(crate) fn new(closing: &Arc<AtomicBool>, time: Duration) -> Self {
        Self { needless: Arc::default(), closing: Arc::clone(closing), time }
    }

    /// Ends the thoughts, because their results are not needed any more.
    pub(crate) fn cancel(&self) {
        self.needless.store(true, Ordering::Relaxed);
    }

    /// Returns whether the results are not needed any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.needless.load(Ordering::Relaxed) || self.closing.load(Ordering::Relaxed)
    }

    /// Returns the condition that ends a thought that begins now.
    pub(crate) fn started_now(&self) -> Stop {
        let (halt, begun) = (self.clone(), Instant::now());
        Arc::new(move || halt.is_cancelled() || begun.elapsed() >= halt.time)
    }

    /// Returns a value that cancels the thoughts when it is dropped, as the future of a request is when its client
    /// disconnects.
    pub(crate) fn when_dropped(&self) -> CancelOnDrop {
        CancelOnDrop(self.clone())
    }
}

/// Cancels thoughts when this is dropped.
pub(crate) struct CancelOnDrop(Halt);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::task::Poll;

    use super::*;
    use crate::start;

    /// Returns the order in which these requests, each a flow and a cost, get turns on one thread that is in use.
    fn order(asked: &[(usize, u32)]) -> Vec<usize> {
        start::runtime(1, 1).unwrap().block_on(async {
            let lane = Lane::new(1);
            let flows: Vec<Flow> = (0..8).map(|_| Flow::new()).collect();
            let first = lane.turn(Flow::new(), 1).await;
            let order = Arc::new(Mutex::new(Vec::new()));
            let mut asking = Vec::new();
            for (number, &(flow, cost)) in asked.iter().enumerate() {
                let (of, flow, order) = (Arc::clone(&lane), flows[flow], Arc::clone(&order));
                asking.push(tokio::spawn(async move {
                    let _turn = of.turn(flow, cost).await;
                    order.lock().unwrap().push(number);
                }));
                // Requests are made one after the other.
                while lane.lock().waiting.len() <= number {
                    tokio::task::yield_now().await;
                }
            }
            drop(first);
            for asked in asking {
                asked.await.unwrap();
            }
            assert_eq!(lane.lock().free, 1);
            Arc::into_inner(order).unwrap().into_inner().unwrap()
        })
    }

    #[test]
    fn short_work_goes_first_and_flows_get_equal_shares() {
        assert_eq!(order(&[(0, 2000), (1, 100), (2, 1)]), [2, 1, 0]);
        // The first flow asks for three times as much as the others.
        assert_eq!(order(&[(0, 10), (0, 10), (0, 10), (1, 10), (2, 10)]), [0, 3, 4, 1, 2]);
        // Much short work does not keep long work from its turn.
        let mut asked = vec![(0, 20)];
        asked.extend([(1, 5); 8]);
        assert_eq!(order(&asked), [1, 2, 3, 0, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_request_that_is_given_up_takes_no_turn() {
        start::runtime(1, 1).unwrap().block_on(async {
            let lane = Lane::new(1);
            let first = lane.turn(Flow::new(), 1).await;
            {
                let mut given_up = pin!(lane.turn(Flow::new(), 1));
                assert!(poll_fn(|cx| Poll::Ready(given_up.as_mut().poll(cx).is_pending())).await);
            }
            drop(first);
            assert_eq!(lane.lock().free, 1);
        });
    }

    #[test]
    fn a_thought_ends_when_it_is_not_needed_or_took_its_time() {
        let closing = Arc::default();
        let halt = Halt::new(&closing, Duration::MAX);
        let stop = halt.started_now();
        assert!(!stop());
        drop(halt.when_dropped());
        assert!(stop() && halt.is_cancelled());
        let halt = Halt::new(&closing, Duration::ZERO);
        assert!(halt.started_now()() && !halt.is_cancelled());
        let halt = Halt::new(&closing, Duration::MAX);
        closing.store(true, Ordering::Relaxed);
        assert!(halt.started_now()() && halt.is_cancelled());
    }
}
