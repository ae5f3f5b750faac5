// A page that fails when its button is pressed. `sdk` is aliased to the SDK under test when it is bundled.
import * as Sentry from 'sdk';

declare const DSN: string;
declare const RELEASE: string;

Sentry.init({ dsn: DSN, release: RELEASE, environment: 'staging' });
Sentry.setUser({ id: '42', email: 'ada@example.com' });
Sentry.setTag('plan', 'pro');

function readPrice(item: { price?: { amount: number } }): number {
  return item.price!.amount;
}

document.querySelector('button')?.addEventListener('click', () => {
  console.info('about to read the price');
  readPrice({});
});
