/**
 * Every route of the console. Pages are loaded when they are needed; what they ask for is asked for beside, and what asks
 * is loaded then too, unless the first page has it anyway.
 */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { ApiError } from '../api/errors.ts';
import { staticStaleTimeMs } from '../features/freshness.ts';
import { oneOf, searchOf, seconds, text } from '../features/filters/address.ts';
import { filtersSchema } from '../features/filters/filters.ts';
import { issueEventQuery, issueQuery, issuesQuery } from '../features/issues/queries.ts';
import { listQuestion } from '../features/issues/list-question.ts';
import { keysQuery, projectQuery, projectsQuery } from '../features/projects/queries.ts';
import { exploreSearch } from '../features/explore/search.ts';
import { listSearch, transactionSearch, vitalsSearch } from '../features/performance/search.ts';
import { tracesSearch } from '../features/traces/search.ts';
import { organizationsQuery, selfQuery, setupQuery } from '../features/session/queries.ts';
import { chooseOrganization } from '../features/session/choose-organization.ts';
import { FailedPage } from './FailedPage.tsx';
import { Root } from './Root.tsx';
import { NotFound, UnknownPage } from './NotFound.tsx';
import { createPrefetcher, question, type Prefetcher, type Question } from './prefetch.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './Shell.tsx';
import { watchLinks } from './watch-links.ts';

interface Visit {
  /** Ahead of a click. */
  readonly preload: boolean;
  readonly location: { readonly state: { readonly prefetchFor?: string } };
  readonly context: { readonly queryClient: QueryClient; readonly prefetcher: Prefetcher };
}

/** Asks for what a page shows. Opening it asks at once, and draws without waiting; a prefetch waits for its turn. */
function ask({ preload, location, context: { queryClient, prefetcher } }: Visit, ...questions: Question[]): void {
  if (preload) prefetcher.ask(location.state.prefetchFor ?? '', questions);
  else for (const each of questions) void each.ask(queryClient);
}

/** The same where what asks comes with the page. A script that is gone is told of by the page, which is in want of it too. */
function askWith<Queries>(
  visit: Visit,
  load: () => Promise<Queries>,
  questions: (queries: Queries) => Question[],
): void {
  load().then(
    (queries) => ask(visit, ...questions(queries)),
    () => undefined,
  );
}

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient; prefetcher: Prefetcher }>()({
  component: Root,
  notFoundComponent: UnknownPage,
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/setup/SetupPage.tsx'), 'SetupPage'),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: searchOf({ next: text }),
  component: lazyRouteComponent(() => import('../pages/sign-in/SignInPage.tsx'), 'SignInPage'),
});

/** For whoever has the secret link. */
const sharedIssueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared/$share',
  component: lazyRouteComponent(() => import('../pages/shared-issue/SharedIssuePage.tsx'), 'SharedIssuePage'),
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite/$token',
  component: lazyRouteComponent(() => import('../pages/invite/InvitePage.tsx'), 'InvitePage'),
});

/** All pages that need somebody signed in; knows who, and in which organisation. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: filtersSchema,
  search: { middlewares: [retainSearchParams(['project', 'environment', 'range', 'start', 'end'])] },
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const self = await queryClient.ensureQueryData(selfQuery).catch((error: unknown) => {
      // Signing in says what is to be set, so that the server goes by the name in the address bar.
      if (error instanceof ApiError && error.code === 'HOST_NOT_ALLOWED') throw redirect({ to: '/sign-in' });
      throw error;
    });
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

const nowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  loaderDeps: ({ search: { project, environment } }) => ({ project, environment }),
  loader: (visit) =>
    askWith(
      visit,
      () => import('../features/now/queries.ts'),
      ({ nowQuery }) => [question(nowQuery(visit.context.org, visit.deps))],
    ),
  component: lazyRouteComponent(() => import('../pages/now/NowPage.tsx'), 'NowPage'),
});

const issuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/issues',
  validateSearch: searchOf({
    q: text,
    status: oneOf('unresolved', 'resolved', 'archived', 'all'),
    sort: oneOf('date', 'new', 'freq', 'user', 'trends'),
    cursor: text,
  }),
  loaderDeps: ({ search }) => search,
  loader: (visit) => ask(visit, question(issuesQuery(listQuestion(visit.context.org, visit.deps)))),
  component: lazyRouteComponent(() => import('../pages/issues/IssuesPage.tsx'), 'IssuesPage'),
});

const issueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/issues/$issue',
  validateSearch: searchOf({ event: text, q: text, merged: text }),
  loaderDeps: ({ search: { event, q, environment } }) => ({ event, q, environment }),
  loader: (visit) => {
    const { org } = visit.context;
    const { event = 'recommended', q = '', environment } = visit.deps;
    const { issue } = visit.params;
    ask(
      visit,
      question(issueQuery(org, issue, { environment })),
      question(issueEventQuery(org, issue, event, q, { environment })),
    );
  },
  component: lazyRouteComponent(() => import('../pages/issue/IssuePage.tsx'), 'IssuePage'),
});

const feedbackRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/feedback',
  validateSearch: searchOf({ status: oneOf('resolved', 'spam', 'all'), q: text, cursor: text, id: text }),
  component: lazyRouteComponent(() => import('../pages/feedback/FeedbackPage.tsx'), 'FeedbackPage'),
});

const findRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/find',
  validateSearch: searchOf({ q: text }),
  component: lazyRouteComponent(() => import('../pages/find/FindPage.tsx'), 'FindPage'),
});

/** The link that an error page can carry. */
const digestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/d/$digest',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/find', search: { q: params.digest }, replace: true });
  },
});

const releaseQueries = () => import('../features/releases/queries.ts');

const releasesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/releases',
  validateSearch: searchOf({ q: text, status: oneOf('archived'), sort: oneOf('new'), cursor: text }),
  loaderDeps: ({ search }) => search,
  loader: (visit) =>
    askWith(visit, releaseQueries, ({ releasesQuery }) => [question(releasesQuery(visit.context.org, visit.deps))]),
  component: lazyRouteComponent(() => import('../pages/releases/ReleasesPage.tsx'), 'ReleasesPage'),
});

const comparisonRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/releases/compare',
  validateSearch: searchOf({ from: text, to: text }),
  component: lazyRouteComponent(() => import('../pages/release-comparison/ComparisonPage.tsx'), 'ComparisonPage'),
});

const releaseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/releases/$version',
  loaderDeps: ({ search: { project, environment } }) => ({ project, environment }),
  loader: (visit) =>
    askWith(visit, releaseQueries, ({ releaseQuery }) => [
      question(releaseQuery(visit.context.org, visit.params.version, visit.deps)),
    ]),
  component: lazyRouteComponent(() => import('../pages/release/ReleasePage.tsx'), 'ReleasePage'),
});

const alertsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts',
  loaderDeps: ({ search: { project } }) => ({ project }),
  loader: (visit) =>
    askWith(
      visit,
      () => import('../features/alerts/queries.ts'),
      ({ rulesQuery }) => [question(rulesQuery(visit.context.org, visit.deps.project))],
    ),
  component: lazyRouteComponent(() => import('../pages/alerts/AlertsPage.tsx'), 'AlertsPage'),
});

const newAlertRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/new',
  validateSearch: searchOf({ suggestion: text, kind: oneOf('metric') }),
  component: lazyRouteComponent(() => import('../pages/alerts/NewRulePage.tsx'), 'NewRulePage'),
});

const alertRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/$rule',
  component: lazyRouteComponent(() => import('../pages/alerts/RulePage.tsx'), 'RulePage'),
});

const tracesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/traces',
  validateSearch: tracesSearch,
  loaderDeps: ({ search }) => search,
  loader: (visit) =>
    askWith(
      visit,
      () => import('../features/traces/queries.ts'),
      ({ tracesQuery }) => [question(tracesQuery(visit.context.org, visit.deps))],
    ),
  component: lazyRouteComponent(() => import('../pages/traces/TracesPage.tsx'), 'TracesPage'),
});

const traceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/traces/$trace',
  validateSearch: searchOf({
    span: text,
    at: seconds,
    q: text,
    problem: text,
    focus: text,
    t: text,
    path: oneOf('off'),
    panel: oneOf('logs'),
  }),
  loaderDeps: ({ search: { at } }) => ({ at }),
  loader: (visit) =>
    askWith(
      visit,
      () => import('../features/waterfall/queries.ts'),
      ({ waterfallQuery }) => [question(waterfallQuery(visit.context.org, visit.params.trace, visit.deps.at))],
    ),
  // Choosing a span changes the address; it asks for nothing that is there already.
  shouldReload: ({ cause }) => cause !== 'stay',
  component: lazyRouteComponent(() => import('../pages/trace/TracePage.tsx'), 'TracePage'),
});

const exploreRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/explore',
  validateSearch: exploreSearch,
  component: lazyRouteComponent(() => import('../pages/explore/ExplorePage.tsx'), 'ExplorePage'),
});

const performanceQueries = () => import('../features/performance/queries.ts');

const performanceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/performance',
  validateSearch: listSearch,
  loaderDeps: ({ search }) => search,
  loader: (visit) =>
    askWith(visit, performanceQueries, ({ seriesQuery, transactionsQuery }) => [
      question(transactionsQuery(visit.context.org, visit.deps)),
      question(seriesQuery(visit.context.org, visit.deps)),
    ]),
  component: lazyRouteComponent(() => import('../pages/performance/PerformancePage.tsx'), 'PerformancePage'),
});

const transactionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/performance/transaction',
  validateSearch: transactionSearch,
  loaderDeps: ({ search }) => search,
  loader: (visit) =>
    askWith(visit, performanceQueries, ({ transactionQuery }) => [
      question(transactionQuery(visit.context.org, visit.deps)),
    ]),
  component: lazyRouteComponent(() => import('../pages/transaction/TransactionPage.tsx'), 'TransactionPage'),
});

const vitalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/performance/vitals',
  validateSearch: vitalsSearch,
  loaderDeps: ({ search }) => search,
  loader: (visit) =>
    askWith(visit, performanceQueries, ({ vitalsQuery }) => [
      question(vitalsQuery(visit.context.org, visit.deps, 'all', visit.deps.page)),
    ]),
  component: lazyRouteComponent(() => import('../pages/vitals/VitalsPage.tsx'), 'VitalsPage'),
});

const projectsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects',
  loader: (visit) => ask(visit, question(projectsQuery(visit.context.org))),
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
  validateSearch: searchOf({ platform: text }),
  loader: (visit) => ask(visit, question(projectQuery(visit.context.org, visit.params.slug))),
  component: lazyRouteComponent(() => import('../pages/project-setup/ProjectSetupPage.tsx'), 'ProjectSetupPage'),
});

const projectSettingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/settings',
  loader: (visit) => {
    const { org } = visit.context;
    const { slug } = visit.params;
    ask(visit, question(projectQuery(org, slug)), question(keysQuery(org, slug)));
  },
  component: lazyRouteComponent(
    () => import('../pages/project-settings/ProjectSettingsPage.tsx'),
    'ProjectSettingsPage',
  ),
});

const projectGroupingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/settings/grouping',
  validateSearch: searchOf({ rule: text }),
  loader: (visit) => ask(visit, question(projectQuery(visit.context.org, visit.params.slug))),
  component: lazyRouteComponent(() => import('../pages/project-settings/GroupingPage.tsx'), 'GroupingPage'),
});

const projectOwnershipRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/settings/ownership',
  component: lazyRouteComponent(() => import('../pages/project-ownership/OwnershipPage.tsx'), 'OwnershipPage'),
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
  loader: (visit) =>
    askWith(
      visit,
      () => import('../features/tokens/queries.ts'),
      ({ tokensQuery }) => [question(tokensQuery(visit.context.org))],
    ),
  component: lazyRouteComponent(() => import('../pages/tokens/TokensPage.tsx'), 'TokensPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/members',
  component: lazyRouteComponent(() => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
});

const teamsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/teams',
  component: lazyRouteComponent(() => import('../pages/teams/TeamsPage.tsx'), 'TeamsPage'),
});

const repositoriesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/repositories',
  component: lazyRouteComponent(() => import('../pages/repositories/RepositoriesPage.tsx'), 'RepositoriesPage'),
});

const channelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/channels',
  validateSearch: searchOf({ edit: text, channel: text }),
  component: lazyRouteComponent(() => import('../pages/channels/ChannelsPage.tsx'), 'ChannelsPage'),
});

const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/notifications',
  component: lazyRouteComponent(() => import('../pages/notifications/NotificationsPage.tsx'), 'NotificationsPage'),
});

const healthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/health',
  validateSearch: searchOf({
    type: text,
    reason: text,
    outcome: oneOf('accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard'),
  }),
  loaderDeps: ({ search: { project, range, start, end } }) => ({ project, range, start, end }),
  loader: (visit) =>
    askWith(
      visit,
      () => import('../features/intake/queries.ts'),
      ({ healthQuery, outcomesQuery }) => [
        question(healthQuery),
        question(outcomesQuery(visit.context.org, visit.deps)),
      ],
    ),
  component: lazyRouteComponent(() => import('../pages/health/HealthPage.tsx'), 'HealthPage'),
});

const routeTree = rootRoute.addChildren([
  setupRoute,
  signInRoute,
  inviteRoute,
  sharedIssueRoute,
  shellRoute.addChildren([
    nowRoute,
    issuesRoute,
    issueRoute,
    feedbackRoute,
    findRoute,
    digestRoute,
    releasesRoute,
    comparisonRoute,
    releaseRoute,
    alertsRoute,
    newAlertRoute,
    alertRoute,
    performanceRoute,
    transactionRoute,
    vitalsRoute,
    tracesRoute,
    traceRoute,
    exploreRoute,
    projectsRoute,
    newProjectRoute,
    projectSetupRoute,
    projectSettingsRoute,
    projectGroupingRoute,
    projectOwnershipRoute,
    settingsRoute,
    tokensRoute,
    repositoriesRoute,
    channelsRoute,
    notificationsRoute,
    membersRoute,
    teamsRoute,
    healthRoute,
  ]),
]);

/** Links are prefetched when they come into view and when the reader points at them: `prefetch.ts` decides what and when. */
export function createConsoleRouter(queryClient: QueryClient) {
  const prefetcher: Prefetcher = createPrefetcher(queryClient, (href) =>
    router.preloadRoute({ href, state: { prefetchFor: href } } as Parameters<typeof router.preloadRoute>[0]),
  );
  const router = createRouter({
    routeTree,
    context: { queryClient, prefetcher },
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
    defaultNotFoundComponent: NotFound,
  });
  const wantLinksInView = watchLinks(prefetcher);
  router.subscribe('onBeforeNavigate', ({ toLocation }) => prefetcher.hold(toLocation.href));
  router.subscribe('onResolved', () => {
    prefetcher.resume();
    wantLinksInView();
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
  interface HistoryState {
    /** Of a prefetch: the link that it is for. */
    prefetchFor?: string;
  }
}
