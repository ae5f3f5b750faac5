// A service with the SDK's tracing that fails within a request it makes to itself, and prints where. argv: DSN, digest.
import * as Sentry from '@sentry/node';

const [dsn, digest] = process.argv.slice(2);
Sentry.init({ dsn, release: 'shop@2.0.0', environment: 'production', serverName: 'cart-service', tracesSampleRate: 1 });
const { createServer } = await import('node:http');
const { once } = await import('node:events');

function priceOf(item) {
  return item.price.amount;
}

const found = {};
const idsOf = (span) => ({ traceId: span.spanContext().traceId, spanId: span.spanContext().spanId });
const query = (text, then = () => undefined) =>
  Sentry.startSpan(
    { name: text, op: 'db', attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } },
    then,
  );
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const server = createServer(async (request, response) => {
  await Sentry.startSpan({ name: 'load the cart', op: 'function' }, async (span) => {
    found.healthy = idsOf(span).spanId;
    await query('SELECT * FROM carts WHERE id = 7', () => pause(12));
  });
  try {
    await Sentry.startSpan({ name: 'price the cart', op: 'function' }, async (span) => {
      Object.assign(found, idsOf(span));
      await pause(20);
      priceOf({});
    });
  } catch (error) {
    found.eventId = Sentry.captureException(error, { tags: { digest } });
  }
  await Sentry.startSpan({ name: 'write the answer', op: 'function' }, () => pause(5));
  response.statusCode = 500;
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
await (await fetch(`http://127.0.0.1:${server.address().port}/cart/7`)).text();
server.close();
await Sentry.close(5_000);
process.stdout.write(JSON.stringify(found));
