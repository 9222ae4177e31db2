//! Products of a matrix of cells (`u8`, mostly 0) with a matrix of numbers.
//!
//! Six rows are multiplied together. Their nonzero cells are visited once, and the line of the second matrix is read
//! once for all six. Rows are alike, because all of them hold the state of the table. So six rows have few more nonzero
//! columns than one, and a product of a single row mostly waits for memory.
//!
//! Registers of eight numbers (AVX2) hold too few sums for that. There, each row is multiplied alone, over a list of
//! its nonzero cells. The bits are the same.

use pulp::{Arch, Simd, WithSimd};

use super::{Lists, Rounding, Term, sparse};

/// Rows that are multiplied together.
const ROWS: usize = 6;
/// Cells that are read at once; those after the sixth are ignored.
const READ: usize = 8;

/// A matrix of cells, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    numbers: Vec<u8>,
    columns: usize,
    /// The distance between the starts of rows. It exceeds `columns`, so that eight cells can be read from any column.
    stride: usize,
}

impl Cells {
    /// Removes all rows. New rows have `columns` cells.
    pub fn clear(&mut self, columns: usize) {
        self.numbers.clear();
        self.columns = columns;
        self.stride = (columns + READ).next_multiple_of(READ);
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.numbers.len() / self.stride.max(1)
    }

    /// Adds a row, which may come in several pieces.
    ///
    /// # Panics
    /// If the pieces are longer than a row.
    pub fn push(&mut self, pieces: &[&[u8]]) {
        let end = self.numbers.len() + self.stride;
        pieces.iter().for_each(|piece| self.numbers.extend_from_slice(piece));
        assert!(self.numbers.len() <= end, "a row of {} cells", self.columns);
        self.numbers.resize(end, 0);
    }

    /// Returns the rows in order, `[columns]` each.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.numbers.chunks_exact(self.stride.max(1)).map(|row| &row[..self.columns])
    }

    /// Overwrites this matrix with the transpose of `from`.
    pub fn turn(&mut self, from: &Self) {
        let rows = from.rows();
        self.clear(rows);
        self.numbers.resize(from.columns * self.stride, 0);
        for first in (0..rows).step_by(READ) {
            let lines: [&[u8]; READ] = std::array::from_fn(|line| match first + line < rows {
                true => &from.numbers[(first + line) * from.stride..][..from.stride],
                false => &[],
            });
            for left in (0..from.columns).step_by(READ) {
                let block = lines.map(|line| line.get(left..left + READ).map_or(0, word));
                let turned = turned(block);
                for (column, &cells) in (left..from.columns).zip(&turned) {
                    self.numbers[column * self.stride + first..][..READ]
                        .copy_from_slice(&cells.to_le_bytes());
                }
            }
        }
    }
}

/// Returns eight cells as a word; the first cell is the lowest byte.
fn word(cells: &[u8]) -> u64 {
    cells.first_chunk().map_or(0, |cells| u64::from_le_bytes(*cells))
}

/// Transposes eight rows of eight cells: swaps blocks of four, then of two, then of one.
fn turned(mut rows: [u64; READ]) -> [u64; READ] {
    const MASKS: [u64; 3] = [0x0000_0000_ffff_ffff, 0x0000_ffff_0000_ffff, 0x00ff_00ff_00ff_00ff];
    for (size, mask) in [4, 2, 1].into_iter().zip(MASKS) {
        for row in (0..READ).filter(|row| row & size == 0) {
            let (upper, lower) = (rows[row], rows[row + size]);
            let change = ((upper >> (8 * size)) ^ lower) & mask;
            rows[row] = upper ^ (change << (8 * size));
            rows[row + size] = lower ^ change;
        }
    }
    rows
}

/// The factors of the cells.
#[derive(Copy, Clone, Debug)]
pub enum Scale<'a> {
    /// One factor for each term of a sum.
    Terms(&'a [f32]),
    /// One factor for each row of the product.
    Rows(&'a [f32]),
}

/// Buffers that products of cells reuse. Their content never influences a result.
#[derive(Clone, Debug, Default)]
pub struct CellsWorkspace {
    /// The terms in which any of the six rows has a nonzero cell.
    terms: Vec<u32>,
    /// The factors of the rows for these terms.
    factors: Vec<[f32; READ]>,
    /// The nonzero terms of each row.
    lists: Lists,
}

/// Computes `to[row] = start + Σ scale × left[term, row] × of[term]` in ascending order of terms, for all columns of
/// `left`. The rows of `left` are the terms. Without `start`, the sums start at 0. The rows of `of` and `to` are
/// `stride` numbers apart, which is also the length of `start`.
pub fn cells<R: Rounding>(
    left: &Cells,
    scale: Scale<'_>,
    of: &[f32],
    start: Option<&[f32]>,
    stride: usize,
    room: &mut CellsWorkspace,
    to: &mut [f32],
) {
    Arch::new().dispatch(Product { rounding: R::default(), left, scale, of, start, stride, room, to });
}

pub(super) struct Product<'a, R> {
    pub(super) rounding: R,
    pub(super) left: &'a Cells,
    pub(super) scale: Scale<'a>,
    pub(super) of: &'a [f32],
    pub(super) start: Option<&'a [f32]>,
    pub(super) stride: usize,
    pub(super) room: &'a mut CellsWorkspace,
    pub(super) to: &'a mut [f32],
}

impl<R: Rounding> WithSimd for Product<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rounding, left, scale, of, start, stride, room, to } = self;
        let to = &mut to[..left.columns * stride];
        if S::F32_LANES == 8 {
            for (number, to) in to.chunks_mut(ROWS * stride).enumerate() {
                let terms = room.read(left, scale, number * ROWS);
                let lists = room.list(to.len() / stride, terms);
                sparse::Product { rounding, lists, of, start, stride, to }.with_simd(simd);
            }
            return;
        }
        let ((of, _), (to, _)) = (S::as_simd_f32s(of), S::as_mut_simd_f32s(to));
        let start = start.map(|start| S::as_simd_f32s(start).0);
        let width = stride / S::F32_LANES;
        for (number, to) in to.chunks_mut(ROWS * width).enumerate() {
            let terms = room.read(left, scale, number * ROWS);
            let mut first = 0;
            while first < width {
                let block = Block { rounding, of, start, width, first };
                first += match width - first {
                    4.. if S::F32_LANES == 16 => block.product::<4>(simd, room, terms, to),
                    2.. => block.product::<2>(simd, room, terms, to),
                    _ => block.product::<1>(simd, room, terms, to),
                };
            }
        }
    }
}

impl CellsWorkspace {
    /// Collects the terms with nonzero cells in six columns of `left`, from `first`. Returns their number.
    #[inline(always)]
    fn read(&mut self, left: &Cells, scale: Scale<'_>, first: usize) -> usize {
        let Self { terms, factors, .. } = self;
        terms.resize(left.rows(), 0);
        factors.resize(left.rows(), [0.0; READ]);
        let of_rows: [f32; READ] = match scale {
            Scale::Terms(_) => [0.0; READ],
            Scale::Rows(scale) => std::array::from_fn(|m| scale.get(first + m).copied().unwrap_or_default()),
        };
        let mut count = 0;
        for (term, row) in left.numbers.chunks_exact(left.stride).enumerate() {
            let Some(cells) = row[first..].first_chunk::<READ>() else { continue };
            let scale = match scale {
                Scale::Terms(scale) => [scale[term]; READ],
                Scale::Rows(_) => of_rows,
            };
            // Write every term, and advance only past those that count. A branch would be mispredicted too often.
            terms[count] = term as u32;
            factors[count] = std::array::from_fn(|m| f32::from(cells[m]) * scale[m]);
            count += usize::from(u64::from_le_bytes(*cells) << (8 * (READ - ROWS)) != 0);
        }
        count
    }

    /// Lists the nonzero terms of the first `rows` of the rows, after [`Self::read`] returned `terms`.
    #[inline(always)]
    fn list(&mut self, rows: usize, terms: usize) -> &Lists {
        self.lists.clear();
        for m in 0..rows {
            let all = self.terms[..terms].iter().zip(&self.factors);
            let kept = all.map(|(&at, factors)| (Term { at, factor: factors[m] }, factors[m] != 0.0));
            self.lists.push_kept(terms, kept);
            self.lists.end();
        }
        &self.lists
    }
}

/// Some columns of a product.
#[derive(Copy, Clone)]
struct Block<'a, R, S: Simd> {
    rounding: R,
    of: &'a [S::f32s],
    start: Option<&'a [S::f32s]>,
    width: usize,
    first: usize,
}

impl<R: Rounding, S: Simd> Block<'_, R, S> {
    /// Computes the columns of `V` registers for the six rows that were read; returns `V`.
    #[inline(always)]
    fn product<const V: usize>(
        self,
        simd: S,
        room: &CellsWorkspace,
        terms: usize,
        to: &mut [S::f32s],
    ) -> usize {
        let start = std::array::from_fn(|v| self.start.map_or(simd.splat_f32s(0.0), |s| s[self.first + v]));
        let mut sums: [[S::f32s; V]; ROWS] = [start; ROWS];
        for (&term, factors) in room.terms[..terms].iter().zip(&room.factors) {
            let line = &self.of[term as usize * self.width + self.first..][..V];
            for m in 0..ROWS {
                let factor = simd.splat_f32s(factors[m]);
                for v in 0..V {
                    sums[m][v] = self.rounding.plus(simd, sums[m][v], factor, line[v]);
                }
            }
        }
        for (to, sums) in to.chunks_exact_mut(self.width).zip(&sums) {
            to[self.first..][..V].copy_from_slice(sums);
        }
        V
    }
}
