//! Sparse matrices: for each row, a list of its terms that are not 0.

/// A nonzero number of a matrix.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Term {
    /// The column of the matrix, from 0.
    pub at: u32,
    /// The number in that column.
    pub factor: f32,
}

/// A sparse matrix: a list of terms for each row, in ascending order of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    terms: Vec<Term>,
    /// The end of each row in `terms`.
    ends: Vec<usize>,
}

impl Lists {
    /// Removes all rows; their memory is reused.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    /// Returns the terms of a row.
    pub fn row(&self, row: usize) -> &[Term] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.terms[start..self.ends[row]]
    }

    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &[Term]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let row = &self.terms[start..end];
            start = end;
            row
        })
    }

    /// Adds a term to the current row.
    pub fn push(&mut self, at: usize, factor: f32) {
        self.terms.push(Term { at: at as u32, factor });
    }

    /// Adds the nonzero cells, each times its scale, to the current row.
    pub fn push_cells(&mut self, cells: &[u8], scale: &[f32]) {
        let terms = (0..).zip(cells).zip(scale).map(|((at, &cell), &scale)| {
            (Term { at: at as u32, factor: f32::from(cell) * scale }, cell != 0)
        });
        self.push_kept(cells.len(), terms);
    }

    /// Adds the positive numbers to the current row; after a ReLU the others are 0.
    pub fn push_positive(&mut self, numbers: &[f32]) {
        let terms = numbers.iter().enumerate();
        let terms = terms.map(|(at, &factor)| (Term { at: at as u32, factor }, factor > 0.0));
        self.push_kept(numbers.len(), terms);
    }

    /// Adds the numbers other than 0 to the current row.
    pub fn push_nonzero(&mut self, numbers: &[f32]) {
        let terms = numbers.iter().enumerate();
        let terms = terms.map(|(at, &factor)| (Term { at: at as u32, factor }, factor != 0.0));
        self.push_kept(numbers.len(), terms);
    }

    /// Adds the terms that are marked `true`. Writes every term, and advances only past the marked ones, because a
    /// branch would be mispredicted too often.
    #[inline]
    pub(super) fn push_kept(&mut self, most: usize, terms: impl Iterator<Item = (Term, bool)>) {
        let start = self.terms.len();
        self.terms.resize(start + most, Term::default());
        let (room, mut count) = (&mut self.terms[start..], 0);
        for (term, kept) in terms {
            room[count] = term;
            count += usize::from(kept);
        }
        self.terms.truncate(start + count);
    }

    /// Ends the current row.
    pub fn end(&mut self) {
        self.ends.push(self.terms.len());
    }

    /// Overwrites this matrix with the transpose of `from`, which has `columns` columns.
    pub fn turn(&mut self, from: &Self, columns: usize) {
        self.ends.clear();
        self.ends.resize(columns, 0);
        for term in &from.terms {
            self.ends[term.at as usize] += 1;
        }
        // First the start of each list, then the place of its next term, and at last its end.
        let mut start = 0;
        for end in &mut self.ends {
            let count = std::mem::replace(end, start);
            start += count;
        }
        self.terms.resize(from.terms.len(), Term::default());
        for (row, terms) in from.rows().enumerate() {
            for &Term { at, factor } in terms {
                let next = &mut self.ends[at as usize];
                self.terms[*next] = Term { at: row as u32, factor };
                *next += 1;
            }
        }
    }
}
