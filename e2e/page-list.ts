/** Every page of the console, with something in it: what tests look at one after another. */
import type { Page } from 'playwright-core';
import { owner } from '../server/test/harness.ts';
import type { Made } from './full-installation.ts';
import { queryHash, traceId } from './traces-traffic.ts';

export interface ListedPage {
  /** As the router has it; '' for an address that it does not know. */
  readonly route: string;
  readonly path: string | ((made: Made) => string);
  /** Who sees it: the owner unless this is said. `new`: of an installation that nobody has set up. */
  readonly as?: 'nobody' | 'new';
  /** What is opened on it. */
  readonly open?: (page: Page) => Promise<void>;
}

const shown =
  (keys: string, role: 'dialog' | 'menu' | 'complementary') =>
  async (page: Page): Promise<void> => {
    await page.locator('body').press(keys);
    await page.getByRole(role).last().waitFor();
  };

/** By the name that its pictures have. */
export const pages: Readonly<Record<string, ListedPage>> = {
  now: { route: '/', path: '/' },
  help: { route: '/', path: '/projects', open: shown('?', 'dialog') },
  palette: { route: '/', path: '/projects', open: shown('Control+k', 'dialog') },

  issues: { route: '/issues', path: '/issues' },
  'issues, all': { route: '/issues', path: '/issues?status=all&sort=freq&range=7d' },
  'issues, nothing': { route: '/issues', path: '/issues?q=release%3Anothing' },
  issue: { route: '/issues/$issue', path: ({ issue }) => `/issues/${issue}` },
  'issue, event': {
    route: '/issues/$issue',
    path: ({ issue, eventId }) => `/issues/${issue}?event=${eventId}&environment=production`,
  },
  'issue, events': { route: '/issues/$issue', path: ({ issue }) => `/issues/${issue}?list=events` },
  'issue, users': { route: '/issues/$issue', path: ({ issue }) => `/issues/${issue}?list=users` },
  'issue, merged': { route: '/issues/$issue', path: ({ mergedIssue }) => `/issues/${mergedIssue}` },
  'issue, unknown': { route: '/issues/$issue', path: '/issues/WEB-999' },
  feedback: { route: '/feedback', path: ({ feedback }) => `/feedback?id=${feedback}` },
  'feedback, spam': { route: '/feedback', path: '/feedback?status=spam' },
  find: { route: '/find', path: '/find' },
  'find, nothing': { route: '/find', path: '/find?q=Digest%201' },
  'find, words': { route: '/find', path: '/find?q=TypeError' },
  digest: { route: '/d/$digest', path: ({ digest }) => `/d/${digest}` },

  traces: { route: '/traces', path: '/traces' },
  'traces, slow': { route: '/traces', path: '/traces?sort=slowest&from=3000&until=6000' },
  trace: { route: '/traces/$trace', path: `/traces/${traceId(150)}` },
  'trace, span': { route: '/traces/$trace', path: `/traces/${traceId(150)}?span=root&panel=logs` },
  'trace, unknown': { route: '/traces/$trace', path: `/traces/${'0'.repeat(31)}1` },
  performance: { route: '/performance', path: '/performance' },
  transaction: {
    route: '/performance/transaction',
    path: '/performance/transaction?of=web&transaction=GET%20%2Fcart&op=http.server',
  },
  queries: { route: '/performance/queries', path: '/performance/queries' },
  'queries, nothing': { route: '/performance/queries', path: '/performance/queries?q=nothing' },
  query: { route: '/performance/queries', path: `/performance/queries?of=web&query=${queryHash}` },
  'query, unknown': { route: '/performance/queries', path: '/performance/queries?of=web&query=0123456789abcdef' },
  queues: { route: '/performance/queues', path: '/performance/queues' },
  vitals: { route: '/performance/vitals', path: '/performance/vitals' },
  'vitals, page': {
    route: '/performance/vitals',
    path: '/performance/vitals?page=%2Fproduct%2F%3Aid&of=web&vital=lcp',
  },
  explore: { route: '/explore', path: '/explore' },
  'explore, grouped': {
    route: '/explore',
    path: '/explore?dataset=spans&groupBy=span.op&yAxis=count()%2Cp95(span.duration)',
  },
  'explore, samples': { route: '/explore', path: '/explore?dataset=transactions&tab=samples' },
  'explore, compared': { route: '/explore', path: '/explore?tab=compare&subset=level%3Afatal' },

  releases: { route: '/releases', path: '/releases' },
  'releases, archived': { route: '/releases', path: '/releases?status=archived' },
  release: { route: '/releases/$version', path: '/releases/shop%401.1.0' },
  'release, unknown': { route: '/releases/$version', path: '/releases/shop%409' },
  'release-comparison': { route: '/releases/compare', path: '/releases/compare?from=shop%401.0.0&to=shop%401.1.0' },

  alerts: { route: '/alerts', path: '/alerts' },
  'new alert': { route: '/alerts/new', path: '/alerts/new' },
  'new metric alert': { route: '/alerts/new', path: '/alerts/new?kind=metric' },
  alert: { route: '/alerts/$rule', path: ({ issueRule }) => `/alerts/${issueRule}` },
  'metric alert': { route: '/alerts/$rule', path: ({ metricRule }) => `/alerts/${metricRule}` },
  'alert, unknown': { route: '/alerts/$rule', path: '/alerts/99999' },

  projects: { route: '/projects', path: '/projects' },
  'new project': { route: '/projects/new', path: '/projects/new' },
  'project-setup': { route: '/projects/$slug/setup', path: '/projects/web/setup' },
  'project-setup, waiting': {
    route: '/projects/$slug/setup',
    path: '/projects/storefront/setup?platform=javascript-nextjs',
  },
  'project-settings': { route: '/projects/$slug/settings', path: '/projects/web/settings' },
  grouping: { route: '/projects/$slug/settings/grouping', path: '/projects/web/settings/grouping' },
  'grouping, changed': {
    route: '/projects/$slug/settings/grouping',
    path: '/projects/web/settings/grouping?rule=error.type%3ATypeError%20-%3E%20type-error',
  },
  ownership: { route: '/projects/$slug/settings/ownership', path: '/projects/web/settings/ownership' },
  settings: { route: '/settings', path: '/settings' },
  tokens: { route: '/settings/tokens', path: '/settings/tokens' },
  'api explorer': { route: '/settings/api-explorer', path: '/settings/api-explorer' },
  'api explorer, operation': {
    route: '/settings/api-explorer',
    path: '/settings/api-explorer?operation=updateOrganizationIssue',
  },
  'api explorer, unknown': { route: '/settings/api-explorer', path: '/settings/api-explorer?operation=nothing' },
  members: { route: '/settings/members', path: '/settings/members' },
  organization: { route: '/settings/organization', path: '/settings/organization' },
  security: { route: '/settings/security', path: '/settings/security' },
  'sign-in settings': { route: '/settings/sign-in', path: '/settings/sign-in' },
  'sign-in settings, new': { route: '/settings/sign-in', path: '/settings/sign-in?edit=new' },
  teams: {
    route: '/settings/teams',
    path: '/settings/teams',
    open: (page) => page.locator('button', { hasText: '#checkout' }).first().click(),
  },
  repositories: { route: '/settings/repositories', path: '/settings/repositories' },
  webhooks: { route: '/settings/webhooks', path: '/settings/webhooks' },
  quotas: { route: '/settings/quotas', path: '/settings/quotas' },
  retention: { route: '/settings/retention', path: '/settings/retention' },
  erase: { route: '/settings/erase', path: '/settings/erase' },
  'erase an event': { route: '/settings/erase', path: '/settings/erase?kind=event&value=0' },
  channels: { route: '/settings/channels', path: ({ channel }) => `/settings/channels?channel=${channel}` },
  'new channel': { route: '/settings/channels', path: '/settings/channels?edit=new' },
  notifications: { route: '/settings/notifications', path: '/settings/notifications' },
  'audit log': {
    route: '/settings/audit-log',
    path: '/settings/audit-log',
    open: (page) => page.locator('table button[aria-expanded]').first().click(),
  },
  'audit log, narrowed': { route: '/settings/audit-log', path: '/settings/audit-log?action=token&target=token' },
  'my account': { route: '/settings/account', path: '/settings/account' },
  'my account, deletion': {
    route: '/settings/account',
    path: '/settings/account',
    open: async (page) => {
      await page.locator('main section').last().locator('button').click();
      await page.getByRole('dialog').waitFor();
    },
  },
  health: { route: '/health', path: '/health' },
  'health, reason': { route: '/health', path: '/health?outcome=accepted' },
  'unknown page': { route: '', path: '/nowhere' },

  'sign-in': { route: '/sign-in', path: '/sign-in?next=%2Fissues', as: 'nobody' },
  'sign-in, refused by a provider': { route: '/sign-in', path: '/sign-in?problem=not_member', as: 'nobody' },
  'sign-in, refused': {
    route: '/sign-in',
    path: '/sign-in',
    as: 'nobody',
    open: async (page) => {
      await page.locator('input[type="email"]').fill(owner.email);
      await page.locator('input[type="password"]').fill('wrong password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').first().waitFor();
    },
  },
  'forgot password': { route: '/forgot-password', path: '/forgot-password', as: 'nobody' },
  'reset password': { route: '/reset-password', path: `/reset-password#${'A'.repeat(43)}`, as: 'nobody' },
  closed: { route: '/closed', path: '/closed' },
  recover: { route: '/recover', path: `/recover#${'A'.repeat(43)}`, as: 'nobody' },
  'recover, without link': { route: '/recover', path: '/recover', as: 'nobody' },
  'reset password, without link': { route: '/reset-password', path: '/reset-password', as: 'nobody' },
  'confirm email': { route: '/confirm-email', path: `/confirm-email#${'A'.repeat(43)}`, as: 'nobody' },
  'shared issue': { route: '/shared/$share', path: ({ share }) => `/shared/${share}`, as: 'nobody' },
  'shared issue, revoked': { route: '/shared/$share', path: '/shared/none', as: 'nobody' },
  'connect device': { route: '/oauth/$way', path: '/oauth/device' },
  'authorize, unknown': { route: '/oauth/$way', path: '/oauth/authorize?client_id=none&redirect_uri=none' },
  invitation: { route: '/invite/$token', path: ({ invitation }) => `/invite/${invitation}`, as: 'nobody' },
  'invitation, for another': { route: '/invite/$token', path: ({ invitation }) => `/invite/${invitation}` },
  'invitation, unknown': { route: '/invite/$token', path: '/invite/none', as: 'nobody' },
  setup: { route: '/setup', path: '/setup', as: 'new' },
  'setup, without link': { route: '/setup', path: '/setup', as: 'nobody' },
};
