//! What is no error: spans and logs.
use crate::cart::OutOfStock;
use sentry::protocol::{SpanStatus, Value};
use std::error::Error;

pub fn trace() {
    let transaction = sentry::start_transaction(sentry::TransactionContext::new("checkout", "task"));
    sentry::configure_scope(|scope| scope.set_span(Some(transaction.clone().into())));
    {
        let span = tracing::info_span!("price the cart", currency = "EUR", lines = 3);
        let _entered = span.enter();
        tracing::info!(sku = "A-1", count = 2, "added");
        tracing::warn!("slow price");
        let query = transaction.start_child("db.query", "SELECT * FROM item WHERE id = ?");
        query.set_data("db.system", Value::from("sqlite"));
        query.finish();
        let sold = OutOfStock { sku: "A-1".into(), wanted: 7 };
        tracing::error!(order = 9, error = &sold as &dyn Error, "payment failed");
    }
    transaction.set_status(SpanStatus::Ok);
    transaction.finish();
}

pub fn logs() {
    sentry::logger_info!(who = "ada", count = 3, vip = true, amount = 12.5, "order {} of {}", 9, "ada");
    sentry::logger_warn!("slow");
    sentry::logger_error!("failed");
    sentry::logger_fatal!("lost");
}
