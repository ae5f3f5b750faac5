// The shop's page: it asks for what is on offer when it loads. With version 11 of the React SDK.
import * as Sentry from '@sentry/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

declare const DSN: string;

interface Offer {
  readonly id: number;
  readonly name: string;
  readonly price: number;
}

Sentry.init({
  dsn: DSN,
  release: 'shop-page@11.0.0',
  environment: 'production',
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
});

function Shop() {
  const [offers, setOffers] = useState<readonly Offer[]>();
  useEffect(() => {
    void fetch('/api/offers/tea')
      .then((response) => response.json())
      .then((answer: { offers: readonly Offer[] }) => setOffers(answer.offers));
  }, []);
  if (!offers) return <p>Loading …</p>;
  return (
    <ul>
      {offers.map(({ id, name, price }) => (
        <li key={id}>
          {name}: {price} EUR
        </li>
      ))}
    </ul>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Shop />);
