import { LoadFailureBoundary } from '@culprit/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRoute, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { forgetAsked } from '../api/asked.ts';
import { bootQuery } from '../features/session/boot.ts';
import '../ui/typeface.css';
import '../ui/tokens.css';
import '../ui/base.css';
import { lazily } from '../ui/lazily.tsx';
import { afterContent, useContentShown, watchContent } from './content.ts';
import { startShortcuts } from './first-keys.ts';
import { createQueryClient } from './query-client.ts';
import { reportFailure, startReporting } from './report.ts';
import { createConsoleRouter, loadQueries } from './router.tsx';

const queryClient = createQueryClient(() => {
  // The guard of the signed-in pages asks again who this is, and sends to the sign-in page.
  queryClient.removeQueries({ queryKey: bootQuery.queryKey });
  void router.invalidate();
});
const router = createConsoleRouter(queryClient);

// Its code is asked for beside who is there.
const routes: Readonly<Record<string, AnyRoute>> = router.routesById;
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const route = routes[routeId];
  if (route) router.loadRouteChunk(route)?.catch(() => undefined);
}
watchContent(router, queryClient);
afterContent(() => {
  forgetAsked();
  loadQueries();
  // Without its code nothing is fetched ahead, and all goes on.
  import('./prefetch.ts').then(
    ({ startPrefetching }) => startPrefetching(router),
    () => undefined,
  );
});
startShortcuts();
startReporting(router);

/** Nobody waits for tips, and a page goes on without them where their code cannot be had. */
const Tips = lazily(() =>
  import('../ui/Tips.tsx').then(
    (module) => module.Tips,
    () => () => null,
  ),
);
function LateTips() {
  return useContentShown() && <Tips />;
}

const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <LoadFailureBoundary onError={reportFailure}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <LateTips />
      </QueryClientProvider>
    </LoadFailureBoundary>
  </StrictMode>,
);
