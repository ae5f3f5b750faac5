/** Alert rules. */
import { createRoute } from '@tanstack/react-router';
import { oneOf, searchOf, text } from '../../features/filters/address.ts';
import { question } from '../question.ts';
import { page, askWith } from './visit.ts';
import { shellRoute } from './shell.ts';

const alertsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts',
  loaderDeps: ({ search: { project } }) => ({ project }),
  loader: (visit) =>
    askWith(
      visit,
      () => import('../../features/alerts/queries.ts'),
      ({ rulesQuery }) => [question(rulesQuery(visit.context.org, visit.deps.project))],
    ),
  component: page(() => import('../../pages/alerts/AlertsPage.tsx')),
});

const newAlertRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/new',
  validateSearch: searchOf({ suggestion: text, kind: oneOf('metric') }),
  component: page(() => import('../../pages/alerts/NewRulePage.tsx')),
});

const alertRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/$rule',
  component: page(() => import('../../pages/alerts/RulePage.tsx')),
});

export const alertRoutes = [alertsRoute, newAlertRoute, alertRoute] as const;
