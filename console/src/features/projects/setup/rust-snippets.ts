import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const init = (mode: 'Application' | 'Request'): string => `    let _guard = sentry::init((
        "‹dsn›",
        sentry::ClientOptions::new()
            .maybe_release(sentry::release_name!())
‹traces›            .traces_sample_rate(1.0)
‹sessions›            .auto_session_tracking(true)
‹sessions›            .session_mode(sentry::SessionMode::${mode})
            .environment("production"),
    ));`;

const program = (code: string): SetupStep => ({
  title: m.initialize,
  file: 'src/main.rs',
  language: 'rust',
  code,
});

const add = (...lines: readonly string[]): SetupStep => ({
  title: m.install,
  language: 'sh',
  code: lines.join('\n'),
});

const request: SetupStep = {
  title: m.runTestError,
  language: 'sh',
  code: 'cargo run &\ncurl http://localhost:3000/test-error',
};

export const platforms: Readonly<Record<string, Setup>> = {
  rust: {
    steps: [
      add('cargo add sentry'),
      program(`fn main() {
${init('Application')}

    panic!("Hello, Culprit");
}`),
      { title: m.runTestError, language: 'sh', code: 'cargo run' },
    ],
  },
  'rust-actix': {
    steps: [
      add('cargo add sentry --features actix', 'cargo add actix-web'),
      program(`use actix_web::{get, App, Error, HttpResponse, HttpServer};

#[get("/test-error")]
async fn test_error() -> Result<HttpResponse, Error> {
    Err(actix_web::error::ErrorInternalServerError("Hello, Culprit"))
}

// Not #[actix_web::main]: the SDK starts before the runtime does.
fn main() -> std::io::Result<()> {
${init('Request')}

    actix_web::rt::System::new().block_on(async {
        HttpServer::new(|| {
            App::new()
                .wrap(sentry::integrations::actix::Sentry::with_transaction())
                .service(test_error)
        })
        .bind(("localhost", 3000))?
        .run()
        .await
    })
}`),
      request,
    ],
  },
  'rust-axum': {
    steps: [
      add(
        'cargo add sentry --features tower-axum-matched-path',
        'cargo add axum tower',
        'cargo add tokio --features full',
      ),
      program(`use axum::{body::Body, http::Request, routing::get, Router};
use sentry::integrations::tower::{NewSentryLayer, SentryHttpLayer};
use tower::ServiceBuilder;

async fn test_error() {
    panic!("Hello, Culprit");
}

// Not #[tokio::main]: the SDK starts before the runtime does.
fn main() -> std::io::Result<()> {
${init('Request')}

    tokio::runtime::Runtime::new()?.block_on(async {
        let app = Router::new().route("/test-error", get(test_error)).layer(
            ServiceBuilder::new()
                .layer(NewSentryLayer::<Request<Body>>::new_from_top())
                .layer(SentryHttpLayer::new().enable_transaction()),
        );
        let listener = tokio::net::TcpListener::bind("localhost:3000").await?;
        axum::serve(listener, app).await
    })
}`),
      request,
    ],
  },
  'rust-tracing': {
    steps: [
      add('cargo add sentry --features tracing,logs', 'cargo add tracing tracing-subscriber'),
      program(`use sentry::integrations::tracing::ErrorLayer;
‹logs›use sentry::integrations::tracing::LogLayer;
‹traces›use sentry::integrations::tracing::SpanLayer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::prelude::*;

fn main() {
${init('Application')}

    tracing_subscriber::registry()
        .with(tracing_subscriber::fmt::layer())
        .with(ErrorLayer::new().with_filter(LevelFilter::ERROR))
‹logs›        .with(LogLayer::new().with_filter(LevelFilter::INFO))
‹traces›        .with(SpanLayer::new().with_filter(LevelFilter::INFO))
        .init();

    tracing::error!("Hello, Culprit");
}`),
      { title: m.runTestError, language: 'sh', code: 'cargo run' },
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  add(
    'cargo add opentelemetry tracing tracing-opentelemetry tracing-subscriber',
    'cargo add opentelemetry_sdk',
    'cargo add opentelemetry-otlp --features http-proto,reqwest-blocking-client',
  ),
  program(`use opentelemetry::trace::TracerProvider as _;
use tracing_subscriber::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Endpoint and headers are those of the environment.
    let exporter = opentelemetry_otlp::SpanExporter::builder().with_http().build()?;
    let provider = opentelemetry_sdk::trace::SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .build();
    tracing_subscriber::registry()
        .with(tracing_opentelemetry::layer().with_tracer(provider.tracer("shop")))
        .init();

    tracing::info_span!("Hello, Culprit").in_scope(|| {});
    provider.shutdown()?;
    Ok(())
}`),
];
