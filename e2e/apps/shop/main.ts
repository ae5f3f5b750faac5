// A shop whose button fails two files deep; built, minified and mapped by the test.
import * as Sentry from 'sdk';
import { total } from './cart.ts';

declare const DSN: string;
declare const RELEASE: string;

Sentry.init({ dsn: DSN, release: RELEASE, environment: 'production' });

document.querySelector('button')?.addEventListener('click', () => {
  document.title = `Total ${total([
    { name: 'Tea', price: { amount: 4 } },
    { name: 'Cup', price: null },
  ])}`;
});
