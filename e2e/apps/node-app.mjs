// A Node program that fails as users' programs do. argv: SDK package, DSN, scenario, release.
const [sdkName, dsn, scenario, release] = process.argv.slice(2);
const Sentry = await import(sdkName);

Sentry.init({ dsn, release, environment: 'staging', serverName: 'web-1' });
Sentry.setUser({ id: '42', email: 'ada@example.com', username: 'ada' });
Sentry.setTag('plan', 'pro');
Sentry.setContext('cart', { items: 3, currency: 'EUR' });
Sentry.addBreadcrumb({ category: 'auth', message: 'signed in', level: 'info' });

function readPrice(item) {
  return item.price.amount;
}

function checkout(item) {
  try {
    return readPrice(item);
  } catch (error) {
    throw new Error('checkout failed', { cause: error });
  }
}

switch (scenario) {
  case 'handled':
    try {
      checkout({});
    } catch (error) {
      Sentry.captureException(error, { extra: { password: 'hunter2', attempt: 2 } });
    }
    break;
  case 'message':
    Sentry.captureMessage('stock is low', 'warning');
    break;
  case 'uncaught':
    setTimeout(() => checkout({}), 0);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    break;
  default:
    throw new Error(`no scenario ${scenario}`);
}
await Sentry.flush(5_000);
process.exit(0);
