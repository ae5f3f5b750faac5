import { LoadFailureBoundary } from '@culprit/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { selfQuery } from '../features/session/queries.ts';
import '../ui/tokens.css';
import '../ui/base.css';
import { startTips } from '../ui/tips.ts';
import { createQueryClient } from './query-client.ts';
import { reportFailure, startReporting } from './report.ts';
import { createConsoleRouter } from './router.tsx';
import { startShortcuts } from './shortcuts.ts';

const queryClient = createQueryClient(() => {
  // The guard of the signed-in pages asks again who this is, and sends to the sign-in page.
  queryClient.removeQueries({ queryKey: selfQuery.queryKey });
  void router.invalidate();
});
const router = createConsoleRouter(queryClient);

startShortcuts();
startTips();
startReporting(router);

const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <LoadFailureBoundary onError={reportFailure}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LoadFailureBoundary>
  </StrictMode>,
);
