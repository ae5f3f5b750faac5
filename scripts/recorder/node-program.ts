/** Runs one scenario with the Node SDK: `RECORD_SDK=@sentry/node RECORD_DSN=… node node-program.ts <scenario>`. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as SentryNode from '@sentry/node';

const Sentry = (await import(process.env['RECORD_SDK'] ?? '@sentry/node')) as typeof SentryNode;
const scenario = process.argv[2] ?? '';

// SDK 11 sends logs without being asked; its types no longer know the switch.
const sdk10Options = { enableLogs: true };

Sentry.init({
  dsn: process.env['RECORD_DSN'],
  release: 'shop-api@2.4.0',
  environment: 'production',
  serverName: 'web-1',
  tracesSampleRate: 1,
  ...sdk10Options,
  beforeSend: (event) => (scenario === 'client-report' ? null : event),
});

class PaymentError extends Error {
  override readonly name = 'PaymentError';
}

function readCard(card: { number?: string }): string {
  if (card.number === undefined) throw new TypeError("Cannot read the card: 'number' is missing");
  return card.number;
}

function pay(cart: { total: number; card: { number?: string } }): string {
  try {
    return readCard(cart.card);
  } catch (cause) {
    throw new PaymentError(`payment of ${cart.total} EUR failed`, { cause });
  }
}

const cart = { total: 42.5, card: {} };

const scenarios: Record<string, () => unknown> = {
  'handled-error'() {
    Sentry.setUser({ id: '42', email: 'ada@example.com', username: 'ada' });
    Sentry.setTags({ tenant: 'acme', 'feature.checkout': 'v2' });
    Sentry.setContext('cart', { items: 3, total: 42.5, currency: 'EUR' });
    Sentry.addBreadcrumb({ category: 'cart', message: 'item added', level: 'info', data: { sku: 'A-17' } });
    console.log('checkout started for %s', 'ada');
    try {
      pay(cart);
    } catch (error) {
      Sentry.withScope((scope) => {
        scope.setExtra('attempt', 2);
        scope.addAttachment({ filename: 'cart.json', data: '{"items":["A-17"]}\n', contentType: 'application/json' });
        scope.addAttachment({ filename: 'receipt.bin', data: Uint8Array.of(0, 10, 255, 13, 10, 0x7b, 0x7d, 10) });
        Sentry.captureException(error);
      });
    }
  },
  'uncaught-error'() {
    setTimeout(() => pay(cart), 1);
  },
  'unhandled-rejection'() {
    void Promise.reject(new PaymentError('the bank did not answer'));
  },
  message() {
    Sentry.captureMessage('stock is low', 'warning');
    Sentry.captureMessage(Sentry.parameterize`stock of ${'A-17'} is ${3}`, 'warning');
  },
  'aggregate-error'() {
    const errors = [new TypeError('no route to warehouse 1'), new RangeError('warehouse 2 is empty')];
    Sentry.captureException(new AggregateError(errors, 'no warehouse can deliver'));
  },
  async trace() {
    await Sentry.startSpan({ name: 'nightly import', op: 'task' }, async () => {
      for (const sku of ['A-17', 'B-4', 'C-9']) {
        await Sentry.startSpan(
          {
            name: 'SELECT * FROM products WHERE sku = $1',
            op: 'db.query',
            attributes: {
              'db.system.name': 'postgresql',
              'db.query.text': 'SELECT * FROM products WHERE sku = $1',
              sku,
            },
          },
          () => sleep(2),
        );
      }
      await Sentry.startSpan({ name: 'cache.put', op: 'cache.put', attributes: { 'cache.key': ['products'] } }, () =>
        sleep(1),
      );
      Sentry.captureException(new PaymentError('price of B-4 is negative'));
    });
  },
  async 'http-server'() {
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      try {
        if (request.url?.startsWith('/checkout')) pay(cart);
        response.end('ok');
      } catch (error) {
        Sentry.captureException(error);
        response.writeHead(500).end('failed');
      }
    });
    server.listen(3000, '127.0.0.1');
    await once(server, 'listening');
    for (const path of ['/', '/checkout?step=2']) {
      // A bare socket, so that no client span is recorded, and with the host name of the outside.
      const socket = connect(3000, '127.0.0.1');
      socket.end(
        `GET ${path} HTTP/1.1\r\nHost: shop.example.com\r\nUser-Agent: Mozilla/5.0\r\nConnection: close\r\n\r\n`,
      );
      socket.resume();
      await once(socket, 'close');
    }
    server.close();
  },
  logs() {
    Sentry.logger.info('order placed', { orderId: 'o-1', total: 42.5, paid: true });
    Sentry.logger.warn(Sentry.logger.fmt`stock of ${'A-17'} is ${3}`);
    Sentry.startSpan({ name: 'checkout', op: 'task' }, () => Sentry.logger.error('payment failed', { attempt: 2 }));
  },
  metrics() {
    Sentry.metrics.count('orders.placed', 1, { attributes: { currency: 'EUR' } });
    Sentry.metrics.gauge('queue.depth', 7);
    Sentry.metrics.distribution('order.total', 42.5, { unit: 'euro' });
  },
  async 'check-in'() {
    const monitor = {
      schedule: { type: 'crontab', value: '0 2 * * *' },
      timezone: 'Europe/Berlin',
      checkinMargin: 5,
      maxRuntime: 10,
    } as const;
    await Sentry.withMonitor('nightly-import', () => sleep(5), monitor);
    await Sentry.withMonitor('nightly-export', () => Promise.reject(new Error('disk is full'))).catch(() => undefined);
  },
  feedback() {
    Sentry.captureFeedback({
      message: 'The pay button does nothing.',
      name: 'Ada',
      email: 'ada@example.com',
      url: 'http://shop.example.com/cart',
    });
  },
  'client-report'() {
    Sentry.captureException(new Error('dropped by beforeSend'));
  },
};

await scenarios[scenario]?.();
await sleep(50);
await Sentry.close(5000);
