//! The files of a folder, for browsers.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use percent_encoding::percent_decode_str;
use tower_http::services::ServeFile;

use crate::monitor::Route;

/// Serves the regular files of a folder by media type, and nothing outside it. `missing` answers all other paths and
/// methods. Browsers must revalidate cached files, because a page that is built again has files with the same names.
pub(crate) fn files<T: 'static>(folder: PathBuf, missing: impl Handler<T, ()>) -> MethodRouter {
    let folder = Arc::new(folder);
    MethodRouter::new().fallback(move |request: Request| {
        let (folder, missing) = (Arc::clone(&folder), missing.clone());
        async move {
            let is_read = [Method::GET, Method::HEAD].contains(request.method());
            let path = request.uri().path().to_owned();
            let found = tokio::task::spawn_blocking(move || find(&folder, &path).filter(|_| is_read)).await;
            match found {
                Ok(Some(file)) => send(&file, request).await,
                _ => missing.call(request, ()).await,
            }
        }
    })
}

/// Returns the file at a path of a URL. A path that ends with a slash is that of the folder's `index.html`.
fn find(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = percent_decode_str(path.strip_prefix('/')?).decode_utf8().ok()?;
    let inside = Path::new(&*path);
    if !inside.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let inside =
        if path.is_empty() || path.ends_with('/') { inside.join("index.html") } else { inside.into() };
    // A link may lead out of the folder, and a FIFO would block the thread that opens it.
    let folder = folder.canonicalize().ok()?;
    let file = folder.join(inside).canonicalize().ok()?;
    (file.starts_with(&folder) && file.is_file()).then_some(file)
}

async fn send(file: &Path, request: Request) -> Response {
    let Ok(sent) = ServeFile::new(file).try_call(request).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = sent.map(Body::new);
    response.extensions_mut().insert(Route("page"));
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}
