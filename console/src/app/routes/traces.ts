/** Requests: traces, Explore, transactions, web vitals. */
import { createRoute, redirect } from '@tanstack/react-router';
import { oneOf, searchOf, seconds, text } from '../../features/filters/address.ts';
import { chosen, ofItsProject } from '../../features/filters/travel.ts';
import { exploreSearch } from '../../features/explore/search.ts';
import { listSearch, queriesSearch, transactionSearch, vitalsSearch } from '../../features/performance/search.ts';
import { tracesSearch } from '../../features/traces/search.ts';
import { question } from '../question.ts';
import { page, askWith } from './visit.ts';
import { shellRoute } from './shell.ts';

const listQueries = () => import('../../features/traces/queries.ts');
const waterfallQueries = () => import('../../features/waterfall/queries.ts');

const tracesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/traces',
  validateSearch: tracesSearch,
  loaderDeps: ({ search }) => search,
  loader: (visit) =>
    askWith(visit, listQueries, ({ tracesQuery }) => [question(tracesQuery(visit.context.org, visit.deps))]),
  component: page(() => import('../../pages/traces/TracesPage.tsx')),
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
    askWith(visit, waterfallQueries, ({ waterfallQuery }) => [
      question(waterfallQuery(visit.context.org, visit.params.trace, visit.deps.at)),
    ]),
  // Choosing a span changes the address; it asks for nothing that is there already.
  shouldReload: ({ cause }) => cause !== 'stay',
  component: page(() => import('../../pages/trace/TracePage.tsx')),
});

const exploreRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/explore',
  validateSearch: exploreSearch,
  component: page(() => import('../../pages/explore/ExplorePage.tsx')),
});

const performanceQueries = () => import('../../features/performance/queries.ts');

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
  component: page(() => import('../../pages/performance/PerformancePage.tsx')),
});

const transactionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/performance/transaction',
  validateSearch: transactionSearch,
  beforeLoad: ({ search }) => {
    // Of a link from when it had the project in the filter.
    if (search.of === undefined && search.project !== undefined)
      throw redirect({
        to: '/performance/transaction',
        search: { ...chosen(search, { project: undefined }), of: search.project },
        replace: true,
      });
  },
  loaderDeps: ({ search }) => ofItsProject(search),
  loader: (visit) =>
    askWith(visit, performanceQueries, ({ transactionQuery }) => [
      question(transactionQuery(visit.context.org, visit.deps)),
    ]),
  component: page(() => import('../../pages/transaction/TransactionPage.tsx')),
});

const vitalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/performance/vitals',
  validateSearch: vitalsSearch,
  loaderDeps: ({ search }) => ofItsProject(search),
  loader: (visit) =>
    askWith(visit, performanceQueries, ({ vitalsQuery }) => [
      question(vitalsQuery(visit.context.org, visit.deps, 'all', visit.deps.page)),
    ]),
  component: page(() => import('../../pages/vitals/VitalsPage.tsx')),
});

const queriesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/performance/queries',
  validateSearch: queriesSearch,
  component: page(() => import('../../pages/queries/QueriesPage.tsx')),
});

const queuesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/performance/queues',
  component: page(() => import('../../pages/queues/QueuesPage.tsx')),
});

export const traceQueries = [listQueries, waterfallQueries] as const;

export const traceRoutes = [
  performanceRoute,
  transactionRoute,
  queriesRoute,
  vitalsRoute,
  queuesRoute,
  tracesRoute,
  traceRoute,
  exploreRoute,
] as const;
