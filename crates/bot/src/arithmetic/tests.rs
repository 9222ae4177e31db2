use cardsharp_env::Draw;
use pulp::{Scalar, Simd, WithSimd};

use super::*;

/// Creates random padded rows, `rows * stride(columns)` numbers; one in `zeros` is 0.
fn matrix(draw: &mut Draw, rows: usize, columns: usize, zeros: u32) -> Vec<f32> {
    let mut numbers = vec![0.0; rows * stride(columns)];
    for row in numbers.chunks_exact_mut(stride(columns)) {
        for number in &mut row[..columns] {
            *number = if draw.below(zeros) > 0 { 2.0 * draw.unit() - 1.0 } else { 0.0 };
        }
    }
    numbers
}

fn listed(numbers: &[f32], columns: usize) -> Lists {
    let mut lists = Lists::default();
    for row in numbers.chunks_exact(stride(columns)) {
        row.iter().enumerate().filter(|(_, number)| **number != 0.0).for_each(|(at, &n)| lists.push(at, n));
        lists.end();
    }
    lists
}

/// Runs a product with every register width of the processor.
fn on_all<Op: WithSimd>(op: impl Fn() -> Op, mut see: impl FnMut(&str, Op::Output)) {
    see("none", Scalar::new().vectorize(op()));
    #[cfg(target_arch = "x86_64")]
    {
        let registers = [
            ("v2", pulp::x86::V2::try_new().map(|simd| Simd::vectorize(simd, op()))),
            ("v3", pulp::x86::V3::try_new().map(|simd| Simd::vectorize(simd, op()))),
            ("v4", pulp::x86::V4::try_new().map(|simd| Simd::vectorize(simd, op()))),
        ];
        registers
            .into_iter()
            .for_each(|(name, result)| result.into_iter().for_each(|result| see(name, result)));
    }
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// The expected operation for one term.
type Add = fn(sum: f32, factor: f32, number: f32) -> f32;

/// Rounded twice. No compiler fuses the two operations.
const TWICE: Add = |sum, factor, number| sum + factor * number;

const ONCE: Add = |sum, factor, number| factor.mul_add(number, sum);

/// Returns the expected sums: from `start`, in ascending order.
fn product(
    left: &[f32],
    right: &[f32],
    terms: usize,
    columns: usize,
    start: Option<&[f32]>,
    add: Add,
) -> Vec<f32> {
    let mut to = vec![0.0; left.len() / stride(terms) * stride(columns)];
    for (row, to) in left.chunks_exact(stride(terms)).zip(to.chunks_exact_mut(stride(columns))) {
        for (column, to) in to.iter_mut().enumerate() {
            *to = start.map_or(0.0, |start| start[column]);
            for term in 0..terms {
                *to = add(*to, row[term], right[term * stride(columns) + column]);
            }
        }
    }
    to
}

const SHAPES: [[usize; 3]; 5] = [[1, 1, 1], [7, 30, 5], [13, 64, 100], [20, 17, 256], [6, 300, 330]];

#[test]
fn products_have_the_promised_bits_with_registers_of_every_width() {
    let mut draw = Draw::new(1, 0);
    for [rows, terms, columns] in SHAPES {
        let (left, right) = (matrix(&mut draw, rows, terms, 3), matrix(&mut draw, terms, columns, 100));
        let bias = matrix(&mut draw, 1, columns, 100);
        let mut turned = vec![0.0; terms * stride(rows)];
        turn(&left, stride(terms), terms, &mut turned, stride(rows));
        let lists = listed(&left, terms);
        for start in [None, Some(&bias[..])] {
            let expected = bits(&product(&left, &right, terms, columns, start, TWICE));
            let fused = bits(&product(&left, &right, terms, columns, start, ONCE));
            let empty = || vec![f32::NAN; rows * stride(columns)];
            let (of, stride_of) = (&right[..], stride(columns));
            let sparse_product = || Product { lists: &lists, start, to: empty(), of, stride: stride_of };
            on_all(sparse_product, |registers, found| {
                assert!(bits(&found) == expected, "sparse, {registers}: {rows} × {terms} × {columns}");
            });
            let lefts = [
                Left { numbers: &left, stride: stride(terms), turned: false },
                Left { numbers: &turned, stride: stride(rows), turned: true },
            ];
            for left in lefts {
                let what = format!("dense, turned {}: {rows} × {terms} × {columns}", left.turned);
                let twice =
                    || Dense { rounding: Twice, left, rows, start, to: empty(), of, stride: stride_of };
                on_all(twice, |registers, found| assert!(bits(&found) == expected, "{registers}, {what}"));
                let once = || Dense { rounding: Once, left, rows, start, to: empty(), of, stride: stride_of };
                on_all(once, |registers, found| assert!(bits(&found) == fused, "{registers}, {what}, once"));
            }
        }
    }
}

#[test]
fn products_of_cells_have_the_promised_bits_with_registers_of_every_width() {
    let mut draw = Draw::new(4, 0);
    for [rows, terms, columns] in SHAPES {
        let (mut plain, mut turned) = (Cells::default(), Cells::default());
        plain.clear(terms);
        for _ in 0..rows {
            let row: Vec<u8> = (0..terms).map(|_| draw.below(9).saturating_sub(5) as u8).collect();
            let (left, right) = row.split_at(terms / 2);
            plain.push(&[left, right]);
        }
        turned.turn(&plain);
        assert_eq!((plain.rows(), turned.rows()), (rows, terms));
        for (row, cells) in plain.iter().enumerate() {
            assert!(cells.iter().zip(turned.iter()).all(|(&cell, column)| cell == column[row]));
        }
        let right = matrix(&mut draw, terms, columns, 100);
        let (of_terms, of_rows) = (matrix(&mut draw, 1, terms, 100), matrix(&mut draw, 1, rows, 100));
        let bias = matrix(&mut draw, 1, columns, 100);
        for by_terms in [true, false] {
            let mut left = vec![0.0; rows * stride(terms)];
            for (row, (cells, left)) in plain.iter().zip(left.chunks_exact_mut(stride(terms))).enumerate() {
                for (term, (left, &cell)) in left.iter_mut().zip(cells).enumerate() {
                    *left = f32::from(cell) * if by_terms { of_terms[term] } else { of_rows[row] };
                }
            }
            let scale = if by_terms { Scale::Terms(&of_terms) } else { Scale::Rows(&of_rows) };
            let what = format!("cells, by terms {by_terms}: {rows} × {terms} × {columns}");
            let (of, start, stride) = (&right[..], &bias[..], stride(columns));
            let to = || vec![f32::NAN; rows * stride];
            let expected = bits(&product(&left, of, terms, columns, Some(start), TWICE));
            let twice = || OfCells { rounding: Twice, left: &turned, scale, of, start, stride, to: to() };
            on_all(twice, |registers, found| assert!(bits(&found) == expected, "{registers}, {what}"));
            let fused = bits(&product(&left, of, terms, columns, Some(start), ONCE));
            let once = || OfCells { rounding: Once, left: &turned, scale, of, start, stride, to: to() };
            on_all(once, |registers, found| assert!(bits(&found) == fused, "{registers}, {what}, once"));
        }
    }
}

/// A product of cells that returns its output.
struct OfCells<'a, R> {
    rounding: R,
    left: &'a Cells,
    scale: Scale<'a>,
    of: &'a [f32],
    start: &'a [f32],
    stride: usize,
    to: Vec<f32>,
}

impl<R: Rounding> WithSimd for OfCells<'_, R> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
        let Self { rounding, left, scale, of, start, stride, mut to } = self;
        let (room, start) = (&mut CellsWorkspace::default(), Some(start));
        cells::Product { rounding, left, scale, of, start, stride, room, to: &mut to }.with_simd(simd);
        to
    }
}

/// A sparse product that returns its output.
struct Product<'a> {
    lists: &'a Lists,
    of: &'a [f32],
    start: Option<&'a [f32]>,
    stride: usize,
    to: Vec<f32>,
}

impl WithSimd for Product<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
        let Self { lists, of, start, stride, mut to } = self;
        sparse::Product { rounding: Twice, lists, of, start, stride, to: &mut to }.with_simd(simd);
        to
    }
}

/// A dense product that returns its output.
struct Dense<'a, R> {
    rounding: R,
    left: Left<'a>,
    rows: usize,
    of: &'a [f32],
    start: Option<&'a [f32]>,
    stride: usize,
    to: Vec<f32>,
}

impl<R: Rounding> WithSimd for Dense<'_, R> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
        let Self { rounding, left, rows, of, start, stride, mut to } = self;
        let room = &mut Vec::new();
        dense::Product { rounding, left, rows, of, start, stride, room, to: &mut to }.with_simd(simd);
        to
    }
}

/// Chosen dot products that return their output.
struct Dots<'a> {
    chosen: &'a [u16],
    of: &'a [f32],
    biases: &'a [f32],
    with: &'a [f32],
}

impl WithSimd for Dots<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
        let (Self { chosen, of, biases, with }, mut to) = (self, Vec::new());
        dots::Products { chosen, of, biases, with, to: &mut to }.with_simd(simd);
        to
    }
}

#[test]
fn dots_have_the_same_bits_with_registers_of_every_width() {
    let mut draw = Draw::new(2, 0);
    for width in [1, 16, 40, 256, 300] {
        let (of, with) = (matrix(&mut draw, 9, width, 5), matrix(&mut draw, 1, width, 2));
        let biases = matrix(&mut draw, 1, 9, 100);
        let chosen = [8, 0, 3, 3];
        let dots = || Dots { chosen: &chosen, of: &of, biases: &biases, with: &with };
        let mut first = None;
        on_all(dots, |registers, found| {
            for (&row, found) in chosen.iter().zip(&found) {
                let row = usize::from(row);
                let of = &of[row * stride(width)..][..stride(width)];
                let exact: f64 = of.iter().zip(&with).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                let exact = exact + f64::from(biases[row]);
                assert!((f64::from(*found) - exact).abs() < 1e-5, "{registers}: {found} and {exact}");
            }
            let first = first.get_or_insert_with(|| bits(&found));
            assert_eq!(*first, bits(&found), "{registers}, {width} numbers");
        });
    }
}

#[test]
fn lists_are_turned() {
    let mut draw = Draw::new(3, 0);
    let numbers = matrix(&mut draw, 40, 23, 4);
    let lists = listed(&numbers, 23);
    let mut turned = vec![0.0; 23 * stride(40)];
    turn(&numbers, stride(23), 23, &mut turned, stride(40));
    let (mut found, mut back) = (Lists::default(), Lists::default());
    found.turn(&lists, 23);
    assert_eq!(found, listed(&turned, 40));
    back.turn(&found, 40);
    assert_eq!(back, lists);
}

#[test]
fn cells_become_the_terms_of_a_row() {
    let mut lists = Lists::default();
    lists.push_cells(&[0, 2, 0, 1, 3, 0], &[0.5, 0.5, 0.5, 0.5, 2.0, 2.0]);
    lists.end();
    lists.end();
    let terms = [(1, 1.0), (3, 0.5), (4, 6.0)].map(|(at, factor)| Term { at, factor });
    assert_eq!((lists.row(0), lists.row(1)), (&terms[..], &[][..]));
}

#[test]
fn a_relu_hides_no_fault() {
    let mut numbers = [-1.0, 0.0, 2.0, f32::NAN, f32::INFINITY];
    relu(&mut numbers);
    assert!(numbers[..3] == [0.0, 0.0, 2.0] && numbers[3].is_nan() && numbers[4] == f32::INFINITY);
    let mut at = [1.0, 1.0, 1.0];
    through_relu(&mut at, &numbers[..3]);
    assert_eq!(at, [0.0, 0.0, 1.0]);
    let mut sums = [9.0; 2];
    column_sums(&[1.0, 2.0, 3.0, 4.0], &mut sums);
    assert_eq!(sums, [4.0, 6.0]);
    assert_eq!(padded(&[1.0, 2.0, 3.0], 1).len(), 48);
}
