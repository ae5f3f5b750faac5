/** Every route of the console. Pages are loaded when they are needed; what they ask for is asked for beside. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { enum as oneOf, object, optional, catch as orElse, string } from 'zod/mini';
import { staticFreshMs } from '../features/freshness.ts';
import { filtersSchema } from '../features/filters/filters.ts';
import { outcomesQuery, healthQuery } from '../features/intake/queries.ts';
import { issueEventQuery, issueQuery, issuesQuery } from '../features/issues/queries.ts';
import { listQuestion } from '../features/issues/list-question.ts';
import { keysQuery, projectQuery, projectsQuery } from '../features/projects/queries.ts';
import { tokensQuery } from '../features/tokens/queries.ts';
import { organizationsQuery, selfQuery, setupQuery } from '../features/session/queries.ts';
import { chooseOrganization } from '../features/session/choose-organization.ts';
import { FailedPage } from './FailedPage.tsx';
import { NotFound, UnknownPage } from './NotFound.tsx';
import { createPrefetchQueue } from './prefetch.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './Shell.tsx';

/** Questions asked ahead of a click: five at once, whatever the pointer passes over. */
const prefetch = createPrefetchQueue(5);

/** Asks for what a page shows. A prefetch waits for its turn; opening a page asks at once, and draws without waiting. */
function ask(preload: boolean, ...questions: readonly (() => Promise<unknown>)[]): Promise<unknown> | undefined {
  if (preload) return Promise.all(questions.map((question) => prefetch(question)));
  for (const question of questions) void question();
  return undefined;
}

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: UnknownPage });

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/setup/SetupPage.tsx'), 'SetupPage'),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: object({ next: optional(string()) }),
  component: lazyRouteComponent(() => import('../pages/sign-in/SignInPage.tsx'), 'SignInPage'),
});

/** All pages that need somebody signed in; knows who, and in which organisation. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: filtersSchema,
  search: { middlewares: [retainSearchParams(['project', 'environment', 'range', 'start', 'end'])] },
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const self = await queryClient.ensureQueryData(selfQuery);
    if (!self.user) {
      const { needed } = await queryClient.fetchQuery(setupQuery);
      throw needed ? redirect({ to: '/setup' }) : redirect({ to: '/sign-in', search: { next: location.href } });
    }
    const organization = chooseOrganization(await queryClient.ensureQueryData(organizationsQuery));
    return {
      self,
      session: { user: self.user, organization, serverVersion: self.serverVersion },
      org: organization.slug,
    };
  },
  component: Shell,
});

const indexRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/issues', replace: true });
  },
});

const issuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/issues',
  validateSearch: object({
    q: optional(string()),
    status: orElse(optional(oneOf(['unresolved', 'resolved', 'archived', 'all'])), undefined),
    sort: orElse(optional(oneOf(['date', 'new', 'freq', 'user'])), undefined),
    cursor: optional(string()),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ preload, context: { queryClient, org }, deps }) =>
    ask(preload, () => queryClient.prefetchQuery(issuesQuery(listQuestion(org, deps)))),
  component: lazyRouteComponent(() => import('../pages/issues/IssuesPage.tsx'), 'IssuesPage'),
});

const issueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/issues/$issue',
  validateSearch: object({ event: optional(string()), q: optional(string()) }),
  loaderDeps: ({ search: { event, q, environment } }) => ({ event, q, environment }),
  loader: ({ preload, context: { queryClient, org }, params: { issue }, deps: { event, q, environment } }) =>
    ask(
      preload,
      () => queryClient.prefetchQuery(issueQuery(org, issue, { environment })),
      () => queryClient.prefetchQuery(issueEventQuery(org, issue, event ?? 'recommended', q ?? '', { environment })),
    ),
  component: lazyRouteComponent(() => import('../pages/issue/IssuePage.tsx'), 'IssuePage'),
});

const projectsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects',
  loader: ({ preload, context: { queryClient, org } }) =>
    ask(preload, () => queryClient.prefetchQuery(projectsQuery(org))),
  component: lazyRouteComponent(() => import('../pages/projects/ProjectsPage.tsx'), 'ProjectsPage'),
});

const newProjectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/new',
  component: lazyRouteComponent(() => import('../pages/projects/NewProjectPage.tsx'), 'NewProjectPage'),
});

const projectSetupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/setup',
  validateSearch: object({ platform: optional(string()) }),
  loader: ({ preload, context: { queryClient, org }, params: { slug } }) =>
    ask(preload, () => queryClient.prefetchQuery(projectQuery(org, slug))),
  component: lazyRouteComponent(() => import('../pages/project-setup/ProjectSetupPage.tsx'), 'ProjectSetupPage'),
});

const projectSettingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/settings',
  loader: ({ preload, context: { queryClient, org }, params: { slug } }) =>
    ask(
      preload,
      () => queryClient.prefetchQuery(projectQuery(org, slug)),
      () => queryClient.prefetchQuery(keysQuery(org, slug)),
    ),
  component: lazyRouteComponent(
    () => import('../pages/project-settings/ProjectSettingsPage.tsx'),
    'ProjectSettingsPage',
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/tokens', replace: true });
  },
});

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/tokens',
  loader: ({ preload, context: { queryClient, org } }) =>
    ask(preload, () => queryClient.prefetchQuery(tokensQuery(org))),
  component: lazyRouteComponent(() => import('../pages/tokens/TokensPage.tsx'), 'TokensPage'),
});

const healthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/health',
  validateSearch: object({
    type: optional(string()),
    reason: optional(string()),
    outcome: orElse(optional(oneOf(['accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard'])), undefined),
  }),
  loaderDeps: ({ search: { project, range, start, end } }) => ({ project, range, start, end }),
  loader: ({ preload, context: { queryClient, org }, deps }) =>
    ask(
      preload,
      () => queryClient.prefetchQuery(healthQuery),
      () => queryClient.prefetchQuery(outcomesQuery(org, deps)),
    ),
  component: lazyRouteComponent(() => import('../pages/health/HealthPage.tsx'), 'HealthPage'),
});

const routeTree = rootRoute.addChildren([
  setupRoute,
  signInRoute,
  shellRoute.addChildren([
    indexRoute,
    issuesRoute,
    issueRoute,
    projectsRoute,
    newProjectRoute,
    projectSetupRoute,
    projectSettingsRoute,
    settingsRoute,
    tokensRoute,
    healthRoute,
  ]),
]);

/** Links are prefetched on hover and focus; what moves slowly counts as fresh for five minutes, telemetry never. */
export function createConsoleRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadDelay: 60,
    defaultPreloadStaleTime: 0,
    defaultStaleTime: 0,
    defaultPreloadGcTime: staticFreshMs,
    defaultPendingMs: 150,
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <FailedPage error={error} retry={reset} />,
    defaultNotFoundComponent: NotFound,
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
