import './report.ts';
import { LoadFailureBoundary } from '@culprit/react';
import { captureReactException } from '@sentry/react';
import { createRoot } from 'react-dom/client';
import { Shop } from './Shop.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

createRoot(root).render(
  <LoadFailureBoundary onError={captureReactException}>
    <Shop />
  </LoadFailureBoundary>,
);
