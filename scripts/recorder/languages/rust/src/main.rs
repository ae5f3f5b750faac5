//! Runs one scenario: `RECORD_DSN=… shop SCENARIO`. Without a server it prints what the language itself prints.
mod cart;
mod telemetry;

use cart::Basket;
use sentry::protocol::{Attachment, Context, Map, User, Value};
use std::sync::atomic::{AtomicBool, Ordering};
use tracing_subscriber::prelude::*;

static IS_PRINTED: AtomicBool = AtomicBool::new(false);

/// A form feed between two errors that are printed.
fn between() {
    if IS_PRINTED.swap(true, Ordering::Relaxed) {
        eprint!("\x0c");
    }
}

fn is_recorded() -> bool {
    std::env::var("RECORD_DSN").is_ok()
}

fn report(error: &anyhow::Error) {
    if is_recorded() {
        sentry::integrations::anyhow::capture_anyhow(error);
    } else {
        between();
        eprintln!("Error: {error:?}");
    }
}

#[inline(never)]
fn empty() -> Basket {
    Basket { items: vec![] }
}

fn out_of_range() {
    let basket = empty();
    cart::map(vec![1], |_| basket.at(5));
}

fn unwraps() {
    let parse = || "two".parse::<u32>().unwrap();
    let take = || None::<u32>.expect("no basket");
    let _ = std::panic::catch_unwind(parse);
    if !is_recorded() {
        between();
        between();
    }
    let _ = std::panic::catch_unwind(take);
}

fn in_thread() {
    let worker = std::thread::Builder::new().name("worker-7".into());
    let _ = worker.spawn(|| empty().at(3)).expect("a thread starts").join();
}

fn wrapped() {
    for text in ["two", "three"] {
        if let Err(error) = cart::order(text) {
            report(&error);
        }
    }
}

fn chain() {
    let sold = cart::OutOfStock { sku: "A-1".into(), wanted: 7 };
    let error = cart::Failed(Box::new(sold));
    if is_recorded() {
        sentry::capture_error(&error);
    } else {
        report(&anyhow::Error::new(error));
    }
}

fn attach() {
    let text = Attachment {
        buffer: b"line one\n".to_vec(),
        filename: "order.txt".into(),
        content_type: Some("text/plain".into()),
        ty: None,
    };
    let dump = Attachment { buffer: vec![0, 1, 255, 10], filename: "dump.bin".into(), ..Default::default() };
    sentry::with_scope(
        |scope| {
            scope.add_attachment(text);
            scope.add_attachment(dump);
        },
        || cart::order("two").map_err(|error| report(&error)),
    )
    .unwrap_or_default();
}

fn start(scenario: &str) -> sentry::ClientInitGuard {
    let guard = sentry::init(
        sentry::ClientOptions::new()
            .dsn(&std::env::var("RECORD_DSN").expect("a server"))
            .release("shop-rs@0.9.1")
            .environment("staging")
            .server_name("web-4")
            .traces_sample_rate(1.0)
            .attach_stacktrace(true)
            .send_default_pii(true)
            .auto_session_tracking(scenario.starts_with("session")),
    );
    tracing_subscriber::registry().with(sentry::integrations::tracing::layer()).init();
    sentry::configure_scope(|scope| {
        scope.set_user(Some(User {
            id: Some("u-42".into()),
            email: Some("ada@example.com".into()),
            username: Some("ada".into()),
            ..Default::default()
        }));
        scope.set_tag("plan", "gold");
        let order = Map::from([("id".into(), Value::from(9)), ("total".into(), Value::from(12.5))]);
        scope.set_context("order", Context::Other(order));
        scope.set_extra("note", Value::from("an extra"));
    });
    sentry::add_breadcrumb(sentry::Breadcrumb {
        category: Some("cart".into()),
        message: Some("added A-1".into()),
        level: sentry::Level::Info,
        ..Default::default()
    });
    guard
}

fn main() {
    let scenario = std::env::args().nth(1).expect("a scenario");
    let _guard = is_recorded().then(|| start(&scenario));
    match scenario.as_str() {
        "panic" => out_of_range(),
        "unwrap" => unwraps(),
        "thread" => in_thread(),
        "anyhow" => wrapped(),
        "chain" => chain(),
        "message" => {
            sentry::capture_message("stock is low", sentry::Level::Warning);
        }
        "tracing" => telemetry::trace(),
        "logs" => telemetry::logs(),
        "session-ok" => {
            sentry::start_session();
            sentry::end_session();
        }
        "session-error" => {
            sentry::start_session();
            cart::order("two").map_err(|error| report(&error)).unwrap_or_default();
            sentry::end_session();
        }
        "session-crash" => {
            sentry::start_session();
            empty().at(1);
        }
        "attach" => attach(),
        other => panic!("no scenario {other}"),
    }
}
