/** Every route of the console, and how links are followed. */
import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { staticStaleTimeMs } from '../features/freshness.ts';
import { FailedPage } from './FailedPage.tsx';
import { lazily } from '../ui/lazily.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';
import { alertRoutes } from './routes/alerts.ts';
import { issueQueries, issueRoutes } from './routes/issues.ts';
import { releaseQueries, releaseRoutes } from './routes/releases.ts';
import { settingsRoutes } from './routes/settings.ts';
import { openRoutes, rootRoute, shellRoute } from './routes/shell.ts';
import { traceQueries, traceRoutes } from './routes/traces.ts';

const routeTree = rootRoute.addChildren([
  ...openRoutes,
  shellRoute.addChildren([...issueRoutes, ...releaseRoutes, ...alertRoutes, ...traceRoutes, ...settingsRoutes]),
]);

/** Links are prefetched when they come into view and when the reader points at them: `prefetch.ts` decides what and when. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient, ahead: {} },
    pathParamsAllowedCharacters: ['@', '+'],
    parseSearch,
    stringifySearch,
    defaultPreload: false,
    defaultPreloadStaleTime: 0,
    defaultStaleTime: 0,
    defaultPreloadGcTime: staticStaleTimeMs,
    defaultPendingMs: 150,
    scrollRestoration: true,
    defaultErrorComponent: FailedPage,
    disableGlobalCatchBoundary: true,
    defaultNotFoundComponent: lazily(async () => (await import('./NotFound.tsx')).NotFound),
  });
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

/** A click asks at once, and does not wait for the code that asks. */
export function loadQueries(): void {
  for (const load of [...issueQueries, ...traceQueries, releaseQueries]) load().catch(() => undefined);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
  interface HistoryState {
    /** Of a prefetch: the link that it is for. */
    prefetchFor?: string;
  }
}
