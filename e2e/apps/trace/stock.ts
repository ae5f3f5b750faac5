/** What the shop has: Fastify, with version 11 of the SDK, which streams its spans. It meets OpenTelemetry on both sides. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import * as Sentry from '@sentry/node';
import { announce, onStop, setting } from './serve.ts';

Sentry.init({
  dsn: setting('DSN'),
  release: 'stock@11.0.0',
  environment: 'production',
  tracesSampleRate: 1,
  // What is asked of others has `traceparent` beside Sentry's own headers.
  propagateTraceparent: true,
});
Sentry.getGlobalScope().setAttributes({ 'service.name': 'stock' });

// What others ask may have `traceparent` alone; the SDK reads Sentry's own header.
subscribe('http.server.request.start', (message) => {
  const { headers } = (message as { request: IncomingMessage }).request;
  const parts = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(headers['traceparent']));
  if (parts) headers['sentry-trace'] ??= `${parts[1]}-${parts[2]}-${Number.parseInt(parts[3] ?? '', 16) & 1}`;
});

// What is instrumented is loaded after the SDK.
const { default: fastify } = await import('fastify');
const { default: pg } = await import('pg');

const pool = new pg.Pool({ connectionString: setting('DATABASE_URL'), max: 1 });
const app = fastify();

async function inStock(category: string): Promise<unknown> {
  const { rows } = await pool.query<{ left: number }>(
    'SELECT sum(pieces)::int AS left FROM stock WHERE category = $1',
    [category],
  );
  const quote = await fetch(`${setting('BILLING_URL')}/quotes`, {
    method: 'POST',
    body: JSON.stringify({ category, warehouse: `${app.listeningOrigin}/warehouses/7` }),
  });
  return { left: rows[0]?.left ?? 0, quote: await quote.json() };
}

app.get('/stock/:category', (request) => inStock((request.params as { category: string }).category));

app.get('/warehouses/:id', (request) => {
  const { id } = request.params as { id: string };
  throw new RangeError(`warehouse ${id} is closed`);
});

await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server);
onStop(() => Sentry.close(5_000));
