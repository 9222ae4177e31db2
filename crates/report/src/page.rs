//! The frame of every page: its head, its contents and its sections.

use cardsharp_env::Games;

use crate::html::Html;

/// Explains the terms for contests and runs.
pub(crate) const READING: &str = include_str!("reading.html");
/// The style sheet of every page.
pub(crate) const STYLE: &str = include_str!("style.css");

/// What pages need from the program.
#[derive(Copy, Clone)]
pub struct Context<'a> {
    /// The games of the program.
    pub games: &'a Games,
    /// The address of the page that shows sessions.
    pub viewer: &'a str,
}

impl Context<'_> {
    /// Returns the title of a game, or its name if this program does not know the game.
    pub(crate) fn title_of(self, game: &str) -> String {
        self.games.named(game).map_or(game, |game| game.title()).to_owned()
    }

    /// Returns the titles of games, without repetition.
    pub(crate) fn titles_of<'g>(self, games: impl Iterator<Item = &'g str>) -> String {
        let mut titles: Vec<String> = Vec::new();
        for game in games {
            let title = self.title_of(game);
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        titles.join(", ")
    }
}

/// A part of the page with its own heading.
pub(crate) struct PageSection {
    pub(crate) title: String,
    pub(crate) body: Html,
}

/// Assembles a page of this command; `reading` explains its terms.
pub(crate) fn assembled(
    title: &str,
    sections: &[PageSection],
    command: &'static str,
    reading: &'static str,
) -> Html {
    let mut style = Html::default();
    style.raw("<style>\n").raw(STYLE).raw("</style>\n");
    let mut html = head(title, &style);
    html.raw("<header>\n").element("h1", title).add(&contents(sections)).raw("</header>\n<main>\n");
    html.add(&parts(sections)).raw("</main>\n").add(&foot(command, reading));
    html
}

/// Starts a page, up to its heading. `more` is added to the head.
pub(crate) fn head(title: &str, more: &Html) -> Html {
    let mut html = Html::default();
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    html.raw("<meta name=\"generator\" content=\"cardsharp ").raw(env!("CARGO_PKG_VERSION")).raw("\"/>\n");
    html.raw("<title>").text(title).raw("</title>\n").add(more).raw("</head>\n<body>\n");
    html
}

/// Returns links to the sections, if there are several.
pub(crate) fn contents(sections: &[PageSection]) -> Html {
    let mut html = Html::default();
    if sections.len() > 1 {
        html.raw("<nav aria-label=\"Contents\">\n<ol>\n");
        for (number, section) in sections.iter().enumerate() {
            html.raw("<li><a href=\"#part-")
                .text(number + 1)
                .raw("\">")
                .text(&section.title)
                .raw("</a></li>\n");
        }
        html.raw("</ol>\n</nav>\n");
    }
    html
}

pub(crate) fn parts(sections: &[PageSection]) -> Html {
    let mut html = Html::default();
    for (number, section) in sections.iter().enumerate() {
        html.raw("<section id=\"part-").text(number + 1).raw("\">\n");
        html.element("h2", &section.title).add(&section.body).raw("</section>\n");
    }
    html
}

/// Ends a page of this command; `reading` explains its terms.
pub(crate) fn foot(command: &'static str, reading: &'static str) -> Html {
    let mut html = Html::default();
    html.raw("<footer>\n").raw(reading);
    html.raw("<p>Made by <code>cardsharp ").raw(command).raw("</code> ").raw(env!("CARGO_PKG_VERSION"));
    html.raw(".</p>\n</footer>\n</body>\n</html>\n");
    html
}
