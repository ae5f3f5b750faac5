/** What Sentry's clients hear of what is not here, and that each address is said to lack what it would have. */
import { expect, test } from 'vitest';
import { absent, absentAt } from './absent.ts';
import { endpoints } from './endpoints.ts';
import { apiPrefix } from './shared/route-schema.ts';

/** This number may only fall: what comes to Culprit leaves the list. */
const mostAbsent = 15;

test('the list does not grow', () => {
  expect(absent.length).toBeLessThanOrEqual(mostAbsent);
});

test('no address that there is counts as absent', () => {
  const there = endpoints.map(({ url }) => `${apiPrefix}${url.replaceAll(/:\w+/g, '1')}`);
  expect(there.filter((path) => absentAt(path) !== undefined)).toEqual([]);
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
])('%s', (path, what) => {
  expect(absentAt(`${apiPrefix}${path}`)).toMatch(new RegExp(`^${what}`));
});

test('an address that nobody knows is simply not found', () => {
  expect(absentAt(`${apiPrefix}/organizations/acme/nothing/`)).toBeUndefined();
  expect(absentAt(`${apiPrefix}/replays/`)).toBeUndefined();
});
