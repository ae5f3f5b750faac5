/** What Sentry's clients hear of what is not here, and that each address is said to lack what it would have. */
import { expect, test } from 'vitest';
import { absent, absentAt } from './absent.ts';
import { endpoints } from './endpoints.ts';
import { apiPrefix } from './shared/route-schema.ts';

/** This number may only fall: what comes to Culprit leaves the list. `e2e/sentry-operations.test.ts` counts operations. */
const mostAbsent = 46;

test('the list does not grow', () => {
  expect(absent.length).toBeLessThanOrEqual(mostAbsent);
});

test('no address that there is counts as absent', () => {
  const there = endpoints.map(({ url, method }) => [`${apiPrefix}${url.replaceAll(/:\w+/g, '1')}`, method] as const);
  expect(there.filter(([path, method]) => absentAt(path, method) !== undefined)).toEqual([]);
});

test.each([
  ['/organizations/acme/replays/', 'session replays'],
  ['/organizations/acme/replay-count/', 'session replays'],
  ['/projects/acme/web/replays/1/recording-segments/', 'session replays'],
  ['/organizations/acme/profiling/flamegraph/', 'profiles'],
  ['/projects/acme/web/profiling/profiles/1/', 'profiles'],
  ['/organizations/acme/monitors/nightly/', 'cron monitors'],
  ['/projects/acme/web/uptime/1/', 'uptime monitors'],
  ['/organizations/acme/dashboards/', 'dashboards'],
  ['/issues/1/autofix/', 'Seer'],
  ['/organizations/acme/issues/1/summarize/', 'Seer'],
  ['/organizations/acme/preprodartifacts/snapshots/1/', 'mobile builds'],
  ['/organizations/acme/agents/conversations/', 'list of agent conversations'],
  ['/organizations/acme/issues/1/integrations/', 'integrations'],
  ['/customers/acme/', 'plans'],
  ['/sentry-apps/shop/', 'integrations'],
  ['/teams/acme/shop/external-teams/1/', 'integrations'],
  ['/projects/acme/web/hooks/1/', 'service hooks'],
  ['/organizations/acme/scim/v2/Users', 'SCIM at this address'],
])('%s', (path, what) => {
  expect(absentAt(`${apiPrefix}${path}`, 'GET')).toMatch(new RegExp(`^${what}`));
});

test('an address is absent for what nobody answers of it', () => {
  const monitors = `${apiPrefix}/organizations/acme/monitors/`;
  expect(absentAt(monitors, 'GET')).toBeUndefined();
  expect(absentAt(monitors, 'POST')).toMatch(/^cron monitors/);
  expect(absentAt(`${apiPrefix}/projects/acme/web/user-feedback/`, 'GET')).toBeUndefined();
  expect(absentAt(`${apiPrefix}/projects/acme/web/user-feedback/`, 'POST')).toMatch(/^user feedback/);
});

test('an address that nobody knows is simply not found', () => {
  expect(absentAt(`${apiPrefix}/organizations/acme/nothing/`, 'GET')).toBeUndefined();
  expect(absentAt(`${apiPrefix}/replays/`, 'GET')).toBeUndefined();
});
