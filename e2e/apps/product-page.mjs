// A server that fails while it makes a page, and reports it with the digest that its error page shows.
// argv: DSN, digest, trace id, what fails (price or stock), release.
import * as Sentry from '@sentry/node';

const currency = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
const [dsn, digest, traceId, what, release] = process.argv.slice(2);

/** `€ 12.00`, with the discount of the day. */
function getPrice(product, discount) {
  const { price } = product.offer;
  const reduced = price.amount * (1 - discount);
  return currency.format(reduced);
}

/** How many are left on the shelf that the product stands on. */
function getStock(warehouse, shelf) {
  const place = warehouse.shelves[shelf];
  const left = place.count - place.reserved;
  return Math.max(0, left);
}

Sentry.init({
  dsn,
  release,
  environment: 'production',
  serverName: 'web-1',
  integrations: [Sentry.rewriteFramesIntegration({ root: import.meta.dirname, prefix: 'app/' })],
});

Sentry.continueTrace({ sentryTrace: `${traceId}-b7ad6b7169203331-1`, baggage: undefined }, () => {
  try {
    if (what === 'stock') getStock({ shelves: [] }, 7);
    else getPrice({ offer: {} }, 0.1);
  } catch (error) {
    Sentry.withScope((scope) => {
      scope.addEventProcessor((event) => ({
        ...event,
        request: { method: 'GET', url: 'https://shop.example.com/product/7' },
      }));
      Sentry.captureException(error, { tags: { digest }, mechanism: { type: 'generic', handled: false } });
    });
  }
});
await Sentry.flush(5_000);
process.exit(0);
