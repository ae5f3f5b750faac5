/** Releases, one of them, and two side by side. */
import { createRoute } from '@tanstack/react-router';
import { oneOf, searchOf, text } from '../../features/filters/address.ts';
import { question } from '../question.ts';
import { page, askWith } from './visit.ts';
import { shellRoute } from './shell.ts';

export const releaseQueries = () => import('../../features/releases/queries.ts');

const releasesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/releases',
  validateSearch: searchOf({ q: text, status: oneOf('archived'), sort: oneOf('new'), cursor: text }),
  loaderDeps: ({ search }) => search,
  loader: (visit) =>
    askWith(visit, releaseQueries, ({ releasesQuery }) => [question(releasesQuery(visit.context.org, visit.deps))]),
  component: page(() => import('../../pages/releases/ReleasesPage.tsx')),
});

const comparisonRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/releases/compare',
  validateSearch: searchOf({ from: text, to: text }),
  component: page(() => import('../../pages/release-comparison/ComparisonPage.tsx')),
});

const releaseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/releases/$version',
  loaderDeps: ({ search: { project, environment } }) => ({ project, environment }),
  loader: (visit) =>
    askWith(visit, releaseQueries, ({ releaseQuery }) => [
      question(releaseQuery(visit.context.org, visit.params.version, visit.deps)),
    ]),
  component: page(() => import('../../pages/release/ReleasePage.tsx')),
});

export const releaseRoutes = [releasesRoute, comparisonRoute, releaseRoute] as const;
