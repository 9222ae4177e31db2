//! Matrices that are mostly zeros.

/// A number of a matrix that is not 0.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Term {
    /// Its column.
    pub at: u32,
    /// The number.
    pub factor: f32,
}

/// A matrix as a list for each row, in ascending order of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    terms: Vec<Term>,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl Lists {
    /// Leaves no row.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    /// The terms of a row.
    pub fn row(&self, row: usize) -> &[Term] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.terms[start..self.ends[row]]
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &[Term]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let row = &self.terms[start..end];
            start = end;
            row
        })
    }

    /// Adds a term to the row that is being written.
    pub fn push(&mut self, at: usize, factor: f32) {
        self.terms.push(Term { at: at as u32, factor });
    }

    /// Writes the cells that are not 0, each times its scale, as the row that is being written.
    pub fn push_cells(&mut self, cells: &[u8], scale: &[f32]) {
        let terms = (0..).zip(cells).zip(scale).map(|((at, &cell), &scale)| {
            (Term { at: at as u32, factor: f32::from(cell) * scale }, cell != 0)
        });
        self.push_kept(cells.len(), terms);
    }

    /// Adds the positive numbers to the row that is being written: after a ReLU the others are 0.
    pub fn push_positive(&mut self, numbers: &[f32]) {
        let terms = numbers.iter().enumerate();
        let terms = terms.map(|(at, &factor)| (Term { at: at as u32, factor }, factor > 0.0));
        self.push_kept(numbers.len(), terms);
    }

    /// Adds the terms that are kept. Writes all of them and moves on past the kept ones: a branch per term would be guessed
    /// wrong too often.
    #[inline]
    fn push_kept(&mut self, most: usize, terms: impl Iterator<Item = (Term, bool)>) {
        let start = self.terms.len();
        self.terms.resize(start + most, Term::default());
        let (room, mut count) = (&mut self.terms[start..], 0);
        for (term, kept) in terms {
            room[count] = term;
            count += usize::from(kept);
        }
        self.terms.truncate(start + count);
    }

    /// Ends the row that is being written.
    pub fn end(&mut self) {
        self.ends.push(self.terms.len());
    }

    /// Writes another matrix, of `columns` columns, with rows and columns exchanged.
    pub fn turn(&mut self, from: &Self, columns: usize) {
        self.ends.clear();
        self.ends.resize(columns, 0);
        for term in &from.terms {
            self.ends[term.at as usize] += 1;
        }
        // Where each list begins, and then where its next term goes: at last where it ends.
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
