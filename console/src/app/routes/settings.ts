/** Projects, settings, and the health of the installation. */
import { createRoute, redirect } from '@tanstack/react-router';
import { oneOf, searchOf, text } from '../../features/filters/address.ts';
import { keysQuery, projectQuery, projectsQuery } from '../../features/projects/queries.ts';
import { question } from '../question.ts';
import { page, ask, askWith } from './visit.ts';
import { shellRoute } from './shell.ts';

/** A page that asks for its data by itself. */
const plain = <const Path extends string>(path: Path, load: Parameters<typeof page>[0]) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: page(load) });

const projectsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects',
  loader: (visit) => ask(visit, question(projectsQuery(visit.context.org))),
  component: page(() => import('../../pages/projects/ProjectsPage.tsx')),
});

const newProjectRoute = plain('/projects/new', () => import('../../pages/projects/NewProjectPage.tsx'));

const projectSetupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/setup',
  validateSearch: searchOf({ platform: text }),
  loader: (visit) => ask(visit, question(projectQuery(visit.context.org, visit.params.slug))),
  component: page(() => import('../../pages/project-setup/ProjectSetupPage.tsx')),
});

const projectSettingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/settings',
  loader: (visit) => {
    const { org } = visit.context;
    const { slug } = visit.params;
    ask(visit, question(projectQuery(org, slug)), question(keysQuery(org, slug)));
  },
  component: page(() => import('../../pages/project-settings/ProjectSettingsPage.tsx')),
});

const projectGroupingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/projects/$slug/settings/grouping',
  validateSearch: searchOf({ rule: text }),
  loader: (visit) => ask(visit, question(projectQuery(visit.context.org, visit.params.slug))),
  component: page(() => import('../../pages/project-settings/GroupingPage.tsx')),
});

const projectOwnershipRoute = plain(
  '/projects/$slug/settings/ownership',
  () => import('../../pages/project-ownership/OwnershipPage.tsx'),
);

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
      () => import('../../features/tokens/queries.ts'),
      ({ tokensQuery }) => [question(tokensQuery(visit.context.org))],
    ),
  component: page(() => import('../../pages/tokens/TokensPage.tsx')),
});

const apiExplorerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/api-explorer',
  validateSearch: searchOf({ operation: text, q: text, tag: text }),
  component: page(() => import('../../pages/api-explorer/ApiExplorerPage.tsx')),
});

const membersRoute = plain('/settings/members', () => import('../../pages/members/MembersPage.tsx'));

const teamsRoute = plain('/settings/teams', () => import('../../pages/teams/TeamsPage.tsx'));

const organizationRoute = plain(
  '/settings/organization',
  () => import('../../pages/organization/OrganizationPage.tsx'),
);

const securityRoute = plain('/settings/security', () => import('../../pages/security/SecurityPage.tsx'));

const signInSettingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/sign-in',
  validateSearch: searchOf({ edit: text }),
  component: page(() => import('../../pages/organization/sign-in/SignInSettingsPage.tsx')),
});

const repositoriesRoute = plain(
  '/settings/repositories',
  () => import('../../pages/repositories/RepositoriesPage.tsx'),
);

const quotasRoute = plain('/settings/quotas', () => import('../../pages/quotas/QuotasPage.tsx'));

const retentionRoute = plain('/settings/retention', () => import('../../pages/retention/RetentionPage.tsx'));

const eraseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/erase',
  validateSearch: searchOf({ kind: oneOf('id', 'email', 'name', 'ip', 'event'), value: text, of: text }),
  component: page(() => import('../../pages/erase/ErasePage.tsx')),
});

const channelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/channels',
  validateSearch: searchOf({ edit: text, channel: text }),
  component: page(() => import('../../pages/channels/ChannelsPage.tsx')),
});

const webhooksRoute = plain('/settings/webhooks', () => import('../../pages/webhooks/WebhooksPage.tsx'));

const notificationsRoute = plain(
  '/settings/notifications',
  () => import('../../pages/notifications/NotificationsPage.tsx'),
);

const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/audit-log',
  validateSearch: searchOf({
    action: text,
    actor: text,
    target: text,
    address: text,
    range: oneOf('24h', '7d', '30d', '90d'),
    cursor: text,
  }),
  component: page(() => import('../../pages/audit-log/AuditLogPage.tsx')),
});

const accountRoute = plain('/settings/account', () => import('../../pages/account/AccountPage.tsx'));

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
      () => import('../../features/intake/queries.ts'),
      ({ accountsQuery, healthQuery, outcomesQuery }) => [
        question(healthQuery),
        question(outcomesQuery(visit.context.org, visit.deps)),
        question(accountsQuery(visit.context.org, visit.deps)),
      ],
    ),
  component: page(() => import('../../pages/health/HealthPage.tsx')),
});

export const settingsRoutes = [
  projectsRoute,
  newProjectRoute,
  projectSetupRoute,
  projectSettingsRoute,
  projectGroupingRoute,
  projectOwnershipRoute,
  settingsRoute,
  tokensRoute,
  apiExplorerRoute,
  repositoriesRoute,
  quotasRoute,
  retentionRoute,
  eraseRoute,
  channelsRoute,
  webhooksRoute,
  notificationsRoute,
  accountRoute,
  membersRoute,
  organizationRoute,
  securityRoute,
  signInSettingsRoute,
  teamsRoute,
  auditLogRoute,
  healthRoute,
] as const;
