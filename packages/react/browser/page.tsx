/** A small real app for the browser tests: each `?case=` fails, or not, in its own way. */
import { lazy, type ReactNode, StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AppReady, LoadFailureBoundary, RouteBoundary, ServerFailure } from '../src/index.ts';

const name = new URLSearchParams(location.search).get('case');

const gone: string = '/assets/gone.js';
const Lazy = lazy(() => import(gone) as Promise<{ default: () => ReactNode }>);

function Product(): ReactNode {
  if (name === 'render') throw new RangeError('no price for product 7');
  return name === 'lazy' ? <Lazy /> : <p>Product 7</p>;
}

let broken = true;
function Reviews(): ReactNode {
  const [opened, open] = useState(false);
  if (opened && broken) throw Object.assign(new Error('reviews are gone'), { digest: '42@E7' });
  return (
    <button type="button" onClick={() => open(true)}>
      {opened ? 'Reviews are open' : 'Reviews'}
    </button>
  );
}

const onError = name === 'sdk' ? (): string => 'f'.repeat(32) : undefined;

function App(): ReactNode {
  return (
    <LoadFailureBoundary onError={onError}>
      <Suspense>
        <Product />
        <AppReady />
      </Suspense>
      <RouteBoundary onError={onError} onRetry={() => (broken = false)}>
        <Reviews />
      </RouteBoundary>
    </LoadFailureBoundary>
  );
}

if (name === 'start') {
  const response = await fetch('/api/start');
  if (!response.ok) throw await ServerFailure.from(response);
}
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
