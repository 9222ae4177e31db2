//! Checks of blocks and labels.

use std::fmt::Write;

use super::Violation;
use crate::base::ActionId;
use crate::base::blocks::{Block, width};
use crate::base::mask::Mask;
use crate::base::rules::Rules;
use crate::game::{Actions, Label, Observe, parse_label};

/// Checks the block tables and the labels of all actions.
pub(super) fn check<G: Observe + Actions>() -> Result<(), Violation> {
    for (table, list) in [("actions", G::ACTIONS), ("observation", G::OBSERVATION), ("hidden", G::HIDDEN)] {
        blocks(list).map_err(|problem| Violation::Blocks(format!("{table}: {problem}")))?;
    }
    prefixes::<G>().map_err(|problem| Violation::Blocks(format!("earlier encodings: {problem}")))?;
    let actions = width(G::ACTIONS);
    if G::Legal::WORDS != actions.div_ceil(64) {
        return Err(Violation::Blocks(format!("{} words do not fit {actions} actions", G::Legal::WORDS)));
    }
    labels::<G>(actions as u16)
}

fn blocks(list: &[Block]) -> Result<(), String> {
    let mut end = 0;
    for (i, block) in list.iter().enumerate() {
        if block.offset != end || block.len == 0 || block.max == 0 || block.meaning.is_empty() {
            return Err(format!("`{}` does not follow the block before it, or is empty", block.name));
        }
        if list[..i].iter().any(|other| other.name == block.name) {
            return Err(format!("two blocks are named `{}`", block.name));
        }
        end = block.end();
    }
    if list.is_empty() { Err("no blocks".to_owned()) } else { Ok(()) }
}

/// Checks earlier versions of the encodings. Each is older than those listed before it, and its rows end with a
/// block. The options that it does not show exist.
fn prefixes<G: Observe>() -> Result<(), String> {
    for (i, prefix) in G::PREFIXES.iter().enumerate() {
        let version = prefix.encoding;
        let later = G::PREFIXES[..i].iter().map(|other| other.encoding).chain([G::ENCODING]);
        if later.into_iter().any(|later| later <= version) {
            return Err(format!(
                "version {version} is not before all that stand before it, the latest first"
            ));
        }
        if !G::OBSERVATION.iter().any(|block| block.end() == prefix.cells) {
            return Err(format!("no block ends with the {} cells of version {version}", prefix.cells));
        }
        let known = |option: &&str| <G::Rules as Rules>::OPTIONS.iter().any(|known| known.name == *option);
        if let Some(option) = prefix.unseen.iter().find(|option| !known(option)) {
            return Err(format!("there is no option `{option}` that version {version} could not show"));
        }
    }
    Ok(())
}

/// Characters with which programs that read moves mark list numbers and commands.
const MARKS: [char; 2] = ['#', '/'];

/// Checks that the labels of all actions at `table` are unique, and that the label of `action` parses back.
pub(super) fn labels_at<G: Actions>(table: &G::PublicState, action: ActionId) -> Result<(), Violation> {
    // One buffer for all labels saves allocations: this check runs at a hundred thousand tables.
    let (mut all, mut ends) = (String::new(), Vec::with_capacity(width(G::ACTIONS)));
    for id in (0..width(G::ACTIONS) as u16).map(ActionId) {
        write!(all, "{}", Label::<G>::at(table, id))
            .map_err(|_| Violation::Labels(format!("action {} has no label", id.0)))?;
        ends.push(all.len());
    }
    all.make_ascii_lowercase();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let mut labels: Vec<&str> = starts.zip(&ends).map(|(start, &end)| &all[start..end]).collect();
    labels.sort_unstable();
    if let Some(same) = labels.windows(2).find(|two| two[0] == two[1]) {
        return Err(Violation::Labels(format!("two actions are labelled `{}` at one table", same[0])));
    }
    let label = Label::<G>::at(table, action).to_string();
    match parse_label::<G>(Some(table), &label) {
        Some(parsed) if parsed == action => Ok(()),
        parsed => Err(Violation::Labels(format!("`{label}` of action {} is read as {parsed:?}", action.0))),
    }
}

fn labels<G: Actions>(actions: u16) -> Result<(), Violation> {
    for id in (0..actions).map(ActionId) {
        // This returns the first action with the label in any letter case: another action if two share it.
        let label = Label::<G>::of(id).to_string();
        let parsed = parse_label::<G>(None, &format!("  {} ", label.to_ascii_uppercase()));
        if label.is_empty() || parsed != Some(id) {
            return Err(Violation::Labels(format!("`{label}` of action {} is read as {parsed:?}", id.0)));
        }
        if label.starts_with(MARKS) {
            let wrong = format!("`{label}` of action {} begins with a mark: `#` or `/`", id.0);
            return Err(Violation::Labels(wrong));
        }
    }
    Ok(())
}
