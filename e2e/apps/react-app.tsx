// A React page whose component fails while it renders, inside the SDK's boundary. `sdk` is aliased when it is bundled.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import * as Sentry from 'sdk';

declare const DSN: string;
declare const RELEASE: string;

Sentry.init({ dsn: DSN, release: RELEASE, environment: 'staging' });
Sentry.setUser({ id: '42', email: 'ada@example.com' });
Sentry.setTag('plan', 'pro');

function Price({ item }: { item: { price?: { amount: number } } }) {
  return <b>{item.price!.amount}</b>;
}

function Shop() {
  const [open, setOpen] = useState(false);
  return open ? <Price item={{}} /> : <button onClick={() => setOpen(true)}>Show the price</button>;
}

const container = document.getElementById('root');
if (container) {
  createRoot(container).render(
    <Sentry.ErrorBoundary fallback={<p>Something went wrong</p>}>
      <Shop />
    </Sentry.ErrorBoundary>,
  );
}
