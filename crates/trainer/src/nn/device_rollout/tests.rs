use cardsharp_env::Draw;

use super::super::{inputs::over_rows, numbers};
use super::*;
use crate::rollout::Decisions;

const CELLS: usize = 9;
const HIDDEN: usize = 2;
const ACTIONS: usize = 70;

/// Whole numbers of a tensor, row by row.
fn whole(tensor: Tensor<2, Int>) -> Vec<i64> {
    tensor.into_data().iter::<i64>().collect()
}

#[test]
fn decisions_come_back_as_they_were_from_parts_of_any_size() {
    let mut draw = Draw::new(5, 0);
    let count: usize = 50;
    let mut decisions = Decisions::default();
    for _ in 0..count {
        decisions.rows.extend((0..CELLS).map(|_| draw.below(256) as u8));
        decisions.hidden.extend((0..HIDDEN).map(|_| draw.below(256) as u8));
        decisions.legal.extend([draw.bits(), draw.bits() & 0b11_1111]);
        decisions.actions.push(ActionId(draw.below(ACTIONS as u32) as u16));
        decisions.log_probability.push(draw.unit());
    }
    let returns: Vec<f32> = (0..count).map(|_| draw.unit()).collect();
    // The last eight have targets.
    let targets: Vec<f32> = (0..8 * ACTIONS).map(|_| draw.unit()).collect();
    let columns: &[&[f32]] = &[&decisions.log_probability, &returns];
    let rows = Rows { decisions: &decisions, columns, targets: &targets, outputs: OutputSet::Legal };
    let mut order: Vec<u32> = (0..count as u32).collect();
    draw.shuffle(&mut order);
    for (device, _) in crate::device::by_burn() {
        for each in [1, 7, 50, 64] {
            let rollout = DeviceRollout::in_parts(rows, ACTIONS, each, &device, 2, &AtomicBool::new(false));
            let rollout = rollout.expect("it is not stopped");
            assert_eq!(rollout.parts.len(), count.div_ceil(each));
            // Not the first minibatch.
            let minibatches = rollout.upload_indices(order.chunks(15));
            let minibatch = rollout.gather(&minibatches[1]);
            let mut ids: Vec<usize> = order[15..30].iter().map(|&id| id as usize).collect();
            ids.sort_by_key(|id| id / each);
            assert_eq!(minibatches[1].ids, ids.iter().map(|&id| id as u32).collect::<Vec<_>>());
            let (cells, actions) = (whole(minibatch.cells), whole(minibatch.actions));
            let illegal: Vec<bool> = minibatch.illegal.into_data().iter::<bool>().collect();
            let columns = minibatch.columns.into_iter().map(numbers).collect::<Vec<_>>();
            let mut aims = Vec::new();
            minibatch.targets.expect("some have targets").map(|targets| {
                aims = numbers(targets.clone());
                targets
            });
            for (row, &id) in ids.iter().enumerate() {
                let own = &decisions.rows[id * CELLS..][..CELLS];
                let hidden = &decisions.hidden[id * HIDDEN..][..HIDDEN];
                let expected: Vec<i64> = own.iter().chain(hidden).map(|&cell| i64::from(cell)).collect();
                assert_eq!(cells[row * (CELLS + HIDDEN)..][..CELLS + HIDDEN], expected, "{id} of {each}");
                assert_eq!(actions[row], i64::from(decisions.actions[id].0));
                for action in 0..ACTIONS {
                    let legal = decisions.legal[id * 2 + action / 64] >> (action % 64) & 1 == 1;
                    assert_eq!(illegal[row * ACTIONS + action], !legal, "action {action} of {id}");
                }
                assert_eq!([columns[0][row], columns[1][row]], [decisions.log_probability[id], returns[id]]);
                let aim = match id.checked_sub(count - 8) {
                    Some(lesson) => targets[lesson * ACTIONS..][..ACTIONS].to_vec(),
                    None => vec![0.0; ACTIONS],
                };
                assert_eq!(aims[row * ACTIONS..][..ACTIONS], aim);
            }
        }
    }
}

#[test]
fn nothing_is_laid_down_once_a_run_stops() {
    let mut decisions = Decisions { rows: vec![1; 3], legal: vec![1], ..Decisions::default() };
    decisions.actions.push(ActionId(0));
    decisions.log_probability.push(0.0);
    let rows = Rows { decisions: &decisions, columns: &[], targets: &[], outputs: OutputSet::Legal };
    let device = Device::flex();
    assert!(DeviceRollout::new(rows, 1, &device, 1, &AtomicBool::new(true)).is_err());
}

#[test]
fn rows_are_added_up_whatever_their_number() {
    let mut draw = Draw::new(8, 0);
    for (device, _) in crate::device::by_burn() {
        for rows in [1, 2, 63, 64, 65, 5000, 300_000] {
            // Whole numbers, so that the order of a sum does not change a bit.
            let cells: Vec<f32> = (0..rows * 3).map(|_| draw.below(20) as f32).collect();
            let expected: Vec<f32> =
                (0..3).map(|column| cells.iter().skip(column).step_by(3).sum::<f32>()).collect();
            let tensor = Tensor::from_data(TensorData::new(cells, [rows, 3]), &device);
            assert_eq!(numbers(over_rows(tensor)), expected, "{rows} rows");
        }
    }
}
