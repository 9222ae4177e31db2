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
/// If the folder has `FILE.gz`, clients that accept gzip get it instead of `FILE`.
pub(crate) fn files<T: 'static>(folder: PathBuf, missing: impl Handler<T, ()>) -> MethodRouter {
    let folder = Arc::new(folder);
    MethodRouter::new().fallback(move |request: Request| {
        let (folder, missing) = (Arc::clone(&folder), missing.clone());
        async move {
            let is_read = [Method::GET, Method::HEAD].contains(request.method());
            let path = request.uri().path().to_owned();
            let found = tokio::task::spawn_blocking(move || find(&folder, &path).filter(|_| is_read)).await;
            match found {
                Ok(Some(found)) => send(&found, request).await,
                _ => missing.call(request, ()).await,
            }
        }
    })
}

/// A file, and whether it is also there as `FILE.gz`.
struct Found {
    file: PathBuf,
    is_packed: bool,
}

/// Returns the file at a path of a URL. A path that ends with a slash is that of the folder's `index.html`.
fn find(folder: &Path, path: &str) -> Option<Found> {
    let path = percent_decode_str(path.strip_prefix('/')?).decode_utf8().ok()?;
    let inside = Path::new(&*path);
    if !inside.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let inside =
        if path.is_empty() || path.ends_with('/') { inside.join("index.html") } else { inside.into() };
    let folder = folder.canonicalize().ok()?;
    // A link may lead out of the folder, and a FIFO would block the thread that opens it.
    let within = |file: PathBuf| {
        let file = file.canonicalize().ok()?;
        (file.starts_with(&folder) && file.is_file()).then_some(file)
    };
    let file = within(folder.join(inside))?;
    let mut packed = file.clone().into_os_string();
    packed.push(".gz");
    Some(Found { is_packed: within(packed.into()).is_some(), file })
}

async fn send(found: &Found, request: Request) -> Response {
    let file = ServeFile::new(&found.file);
    let mut file = if found.is_packed { file.precompressed_gzip() } else { file };
    let Ok(sent) = file.try_call(request).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = sent.map(Body::new);
    response.extensions_mut().insert(Route("page"));
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    if found.is_packed {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}
