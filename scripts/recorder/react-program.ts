/// <reference lib="dom" />
/** The page of the React SDK; `?scenario=` chooses. Bundled with `@sentry/react` standing for any version. */
import * as Sentry from '@sentry/react';
import { createElement as h, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { runScenario } from './page.ts';

const scenario = new URLSearchParams(location.search).get('scenario') ?? '';

Sentry.init({
  dsn: 'http://0123456789abcdef0123456789abcdef@monitor.example.com/1',
  release: 'shop@2.4.0',
  environment: 'production',
  ...(scenario === 'pageload' ? { integrations: [Sentry.browserTracingIntegration()], tracesSampleRate: 1 } : {}),
});

interface Product {
  readonly name: string;
  readonly price?: { readonly amount: number };
}

function PriceTag({ product }: { product: Product }): ReactNode {
  return h('b', null, (product as Required<Product>).price.amount);
}

function Cart({ products }: { products: readonly Product[] }): ReactNode {
  return h('ul', null, ...products.map((product) => h('li', null, h(PriceTag, { product }))));
}

function PayButton(): ReactNode {
  const [paid, setPaid] = useState(false);
  const pay = (): void => {
    setPaid(true);
    throw new TypeError('the payment form has no card');
  };
  return h('button', { id: 'pay', onClick: pay }, paid ? 'Paid' : 'Pay');
}

function mount(content: ReactNode): void {
  const container = document.querySelector('#root');
  if (!container) throw new Error('the page has no #root');
  createRoot(container, { onUncaughtError: Sentry.reactErrorHandler() }).render(content);
}

const broken: readonly Product[] = [{ name: 'Lamp' }];
const sound: readonly Product[] = [{ name: 'Lamp', price: { amount: 20 } }];

await runScenario(scenario, {
  'error-boundary'() {
    mount(
      h(Sentry.ErrorBoundary, { fallback: h('p', null, 'The cart cannot be shown.') }, h(Cart, { products: broken })),
    );
  },
  'uncaught-render-error'() {
    mount(h(Cart, { products: broken }));
  },
  async 'event-handler-error'() {
    mount(h(PayButton));
    await new Promise((done) => setTimeout(done, 100));
    document.querySelector<HTMLButtonElement>('#pay')?.click();
  },
  async pageload() {
    mount(h(Cart, { products: sound }));
    // The idle time-out of one second ends the page load.
    await new Promise((done) => setTimeout(done, 1500));
  },
});
await Sentry.flush(2000);
document.title = 'done';
