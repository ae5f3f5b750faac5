/** Six pages with a bug each, by the first word of the address. With FIXED they are as they should be. */
import * as Sentry from 'sdk';
import { hydrateRoot } from 'react-dom/client';

declare const DSN: string;
declare const RELEASE: string;
declare const FIXED: boolean;
declare const process: { readonly env: { readonly WIDGET: string } };

const [, bug = ''] = location.pathname.split('/');
Sentry.init({ dsn: DSN, release: RELEASE, environment: 'production' });
Sentry.setTag('bug', bug);

const body = (html: string): void => void (document.body.innerHTML = html);
const on = (selector: string, run: (event: Event) => void, type = 'click'): void =>
  document.querySelector(selector)?.addEventListener(type, run);

const pages: Readonly<Record<string, () => void>> = {
  form() {
    body('<form id="signup"><input name="phone" type="tel" aria-label="Phone"><button id="send">Send</button></form>');
    const rates = new Map([['+49', { price: 3 }]]);
    const send = (event: Event): void => {
      event.preventDefault();
      const value = document.querySelector<HTMLInputElement>('input')?.value ?? '';
      const rate = rates.get(value);
      document.title = String(FIXED ? rate?.price : rate!.price);
    };
    on('#signup', send, 'submit');
  },
  network() {
    body('<main><button class="load">Load</button></main>');
    on('.load', () => {
      void (async () => {
        const answer = await fetch('/api/prices');
        if (FIXED && !answer.ok) return;
        const { prices } = (await answer.json().catch(() => ({}))) as { prices?: readonly number[] };
        document.title = String(prices!.length);
      })();
    });
  },
  navigation() {
    body('<nav><a href="/navigation/cart" title="Cart">Cart</a></nav>');
    const show = (): void => {
      const state = history.state as { items?: readonly string[] } | null;
      document.title = FIXED ? String(state?.items?.length ?? 0) : String(state!.items!.join(' '));
    };
    on('a', (event) => {
      event.preventDefault();
      history.pushState({}, '', '/navigation/cart');
      show();
    });
  },
  race() {
    body('<div id="shop"><button id="load">Load</button><button id="show">Show</button></div>');
    let cart: { total: number } | undefined;
    on('#load', () => {
      void (async () => {
        cart = (await (await fetch('/api/slow')).json()) as { total: number };
      })();
    });
    on('#show', () => {
      document.title = String(FIXED ? cart?.total : cart!.total);
    });
  },
  hydration() {
    const root = document.createElement('div');
    root.innerHTML = '<p>rendered on the server</p>';
    document.body.append(root);
    hydrateRoot(root, <p>{FIXED ? 'rendered on the server' : `rendered in the browser`}</p>);
  },
  third() {
    body('<button aria-label="Chat">Chat</button>');
    const script = document.createElement('script');
    script.src = process.env.WIDGET;
    document.head.append(script);
    on('button', () => {
      const { widget } = globalThis as { widget?: { open?: () => void } };
      if (FIXED) widget?.open?.();
      else widget!.open!();
    });
  },
};
pages[bug]?.();
