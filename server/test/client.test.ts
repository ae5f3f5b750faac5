/** The client that others install, on a real server. */
import { createClient } from '@culprit/client';
import { expect, test } from 'vitest';
import { envelopeUrl, newEventId, Server } from './harness.ts';

test('issues are listed through all pages, read, changed and not found', async () => {
  await using server = await Server.create();
  const { dsn, token } = server.installed;
  for (const type of ['Aa', 'Bb', 'Cc', 'Dd', 'Ee']) {
    const event = { event_id: newEventId(), platform: 'node', exception: { values: [{ type, value: type }] } };
    const body = [{ event_id: event.event_id }, { type: 'event' }, event]
      .map((line) => JSON.stringify(line))
      .join('\n');
    expect((await fetch(envelopeUrl(dsn), { method: 'POST', body })).ok).toBe(true);
  }
  await server.drained();
  const culprit = createClient({ url: server.url, token });
  const found = [];
  const path = { org: 'acme' };
  for await (const issue of culprit.pages('/api/0/organizations/{org}/issues/', {
    params: { path, query: { limit: 2 } },
  }))
    found.push(issue.shortId);
  expect(new Set(found).size).toBe(5);
  const { data: issue } = await culprit.GET('/api/0/organizations/{org}/issues/{issue}/', {
    params: { path: { ...path, issue: found[0]! } },
  });
  expect(issue?.shortId).toBe(found[0]);
  await expect(
    culprit.GET('/api/0/organizations/{org}/issues/{issue}/', { params: { path: { ...path, issue: 'WEB-99' } } }),
  ).rejects.toMatchObject({ problem: { status: 404, code: 'NOT_FOUND' } });
  await expect(createClient({ url: server.url }).GET('/api/0/organizations/', {})).rejects.toMatchObject({
    problem: { status: 401, code: 'AUTH_REQUIRED' },
  });
});
