/// <reference lib="dom" />
/** The page of the browser SDK; `?scenario=` chooses. Bundled with `@sentry/browser` standing for any version. */
import * as Sentry from '@sentry/browser';
import { runScenario } from './page.ts';

const scenario = new URLSearchParams(location.search).get('scenario') ?? '';

// SDK 11 sends logs without being asked; its types no longer know the switch.
const sdk10Options = { enableLogs: true };

Sentry.init({
  dsn: 'http://0123456789abcdef0123456789abcdef@monitor.example.com/1',
  release: 'shop@2.4.0',
  environment: 'production',
  ...sdk10Options,
  ...(scenario === 'pageload' ? { integrations: [Sentry.browserTracingIntegration()], tracesSampleRate: 1 } : {}),
  ...(scenario === 'replay'
    ? { integrations: [Sentry.replayIntegration({ minReplayDuration: 0 })], replaysSessionSampleRate: 1 }
    : {}),
});

function readPrice(product: { price?: { amount: number } } | undefined): number {
  return (product as { price: { amount: number } }).price.amount;
}

async function loadProducts(): Promise<void> {
  const response = await fetch('/api/products.json');
  await response.json();
  await fetch('/api/missing.json');
}

await runScenario(scenario, {
  'handled-error'() {
    Sentry.setUser({ id: '42', email: 'ada@example.com' });
    Sentry.setTag('tenant', 'acme');
    Sentry.setContext('cart', { items: 3, total: 42.5 });
    try {
      readPrice(undefined);
    } catch (cause) {
      Sentry.captureException(new Error('the price could not be shown', { cause }), { extra: { attempt: 2 } });
    }
  },
  async 'uncaught-error'() {
    await loadProducts();
    const button = document.querySelector('button');
    button?.addEventListener('click', () => readPrice(undefined));
    button?.click();
  },
  'unhandled-rejection'() {
    void Promise.reject(new RangeError('page 0 of the catalogue does not exist'));
  },
  message() {
    Sentry.captureMessage('stock is low', 'warning');
  },
  async pageload() {
    await loadProducts();
    // The idle time-out of one second ends the page load.
    await new Promise((done) => setTimeout(done, 1500));
  },
  logs() {
    Sentry.logger.info('order placed', { orderId: 'o-1', total: 42.5 });
    Sentry.logger.error(Sentry.logger.fmt`stock of ${'A-17'} is ${3}`);
  },
  feedback() {
    Sentry.captureFeedback({ message: 'The pay button does nothing.', name: 'Ada', email: 'ada@example.com' });
  },
  async replay() {
    document.querySelector('button')?.click();
    Sentry.captureException(new Error('the cart is empty'));
    // The recorder starts after load, and its first segment is the full snapshot.
    await new Promise((done) => setTimeout(done, 1000));
    await Sentry.getReplay()?.flush();
  },
});
await Sentry.flush(2000);
document.title = 'done';
