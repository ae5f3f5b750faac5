/** What needs attention: Now, issues, feedback, Find. */
import { createRoute, redirect } from '@tanstack/react-router';
import { oneOf, searchOf, text } from '../../features/filters/address.ts';
import { issueEventQuery, issueQuery, issuesQuery, issueTagsQuery } from '../../features/issues/queries.ts';
import { listQuestion } from '../../features/issues/list-question.ts';
import { question } from '../question.ts';
import { page, ask, askWith } from './visit.ts';
import { shellRoute } from './shell.ts';

const nowQueries = () => import('../../features/now/queries.ts');
const findQueries = () => import('../../features/find/queries.ts');

const listQueries = () => import('../../pages/issue/list-queries.ts');

const nowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  loaderDeps: ({ search: { project, environment } }) => ({ project, environment }),
  loader: (visit) => askWith(visit, nowQueries, ({ nowQuery }) => [question(nowQuery(visit.context.org, visit.deps))]),
  component: page(() => import('../../pages/now/NowPage.tsx')),
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
  component: page(() => import('../../pages/issues/IssuesPage.tsx')),
});

const issueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/issues/$issue',
  validateSearch: searchOf({
    event: text,
    q: text,
    merged: text,
    list: oneOf('events', 'users'),
    sort: oneOf('oldest', 'last', 'first'),
    cursor: text,
  }),
  loaderDeps: ({ search: { event, q, environment, list, sort, cursor } }) => ({
    event,
    q,
    environment,
    list,
    sort,
    cursor,
  }),
  loader: (visit) => {
    const { org } = visit.context;
    const { event = 'recommended', q = '', environment, list } = visit.deps;
    const { issue } = visit.params;
    ask(visit, question(issueQuery(org, issue, { environment })));
    if (list)
      return askWith(visit, listQueries, ({ eventsOf, usersOf }) => [
        list === 'events' ? question(eventsOf(org, issue, visit.deps)) : question(usersOf(org, issue, visit.deps)),
      ]);
    ask(
      visit,
      question(issueEventQuery(org, issue, event, q, { environment })),
      question(issueTagsQuery(org, issue, { environment })),
    );
    return undefined;
  },
  component: page(() => import('../../pages/issue/IssuePage.tsx')),
});

const feedbackRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/feedback',
  validateSearch: searchOf({ status: oneOf('resolved', 'spam', 'all'), q: text, cursor: text, id: text }),
  component: page(() => import('../../pages/feedback/FeedbackPage.tsx')),
});

const findRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/find',
  validateSearch: searchOf({ q: text }),
  loaderDeps: ({ search: { q, project, range, start, end } }) => ({ q, project, range, start, end }),
  loader: (visit) => {
    const { q, ...scope } = visit.deps;
    return q
      ? askWith(visit, findQueries, ({ findQuery }) => [question(findQuery(visit.context.org, q, scope))])
      : undefined;
  },
  component: page(() => import('../../pages/find/FindPage.tsx')),
});

/** The link that an error page can carry. */
const digestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/d/$digest',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/find', search: { q: params.digest }, replace: true });
  },
});

/** What asks for the first screens here, where it comes with the page. */
export const issueQueries = [nowQueries, findQueries] as const;

export const issueRoutes = [nowRoute, issuesRoute, issueRoute, feedbackRoute, findRoute, digestRoute] as const;
