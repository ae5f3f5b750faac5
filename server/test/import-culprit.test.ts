/** From one Culprit into another, by the API of Sentry that both speak. */
import { expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { importInto } from './imports/moved.ts';

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly count: string;
  readonly assignedTo: { readonly email?: string } | null;
}

const issuesOf = async (server: Server): Promise<object[]> => {
  const all = await server.api<Issue[]>('/projects/acme/web/issues/?query=&statsPeriod=90d');
  return all
    .map(({ title, status, firstSeen, lastSeen, count, assignedTo }) => ({
      title,
      status,
      firstSeen,
      lastSeen,
      count,
      assignee: assignedTo?.email,
    }))
    .toSorted((a, b) => a.title.localeCompare(b.title));
};

test('issues keep status, assignee, times and comments; events their ids', async () => {
  const settings = { CULPRIT_SELF_REPORT: 'off' };
  await using here = await Server.create(settings);
  await using there = await Server.create(settings);
  const ids: string[] = [];
  for (const place of ['one', 'two', 'two', 'three', 'three', 'three']) {
    const id = newEventId();
    ids.push(id);
    const frames = [{ filename: `/app/${place}.js`, function: place, lineno: 1, colno: 1, in_app: true }];
    const exception = { values: [{ type: `${place}Error`, value: 'it failed', stacktrace: { frames } }] };
    const event = { timestamp: Date.now() / 1000 - 86_400 * ids.length, exception, release: 'shop@1.0.0' };
    const response = await fetch(envelopeUrl(there.installed.dsn), { method: 'POST', body: errorEnvelope(id, event) });
    expect(response.status).toBe(200);
  }
  await there.drained();
  const all = await there.api<Issue[]>('/projects/acme/web/issues/?query=&statsPeriod=90d');
  const url = `/organizations/acme/issues/${all.find(({ title }) => title.startsWith('two'))?.id}/`;
  const change = { status: 'resolved', assignedTo: 'owner@example.com' };
  await there.api(url, { method: 'PUT', body: JSON.stringify(change) });
  const comment = { method: 'POST', body: JSON.stringify({ text: 'looked at it' }) };
  await there.api(`/issues/${url.split('/')[4]}/comments/`, comment);

  for (const type of ['issues', 'explore']) {
    const search = { name: `My ${type}`, type, query: 'checkout', visibility: 'organization' };
    await there.api('/organizations/acme/searches/', { method: 'POST', body: JSON.stringify(search) });
  }

  const words = ['sentry', '--url', there.url];
  const { outcome, stderr } = await importInto(here, words, there.installed.token);
  expect({ state: outcome?.state, detail: outcome?.detail, stderr }).toEqual({ state: 'done', detail: '', stderr: '' });
  expect(outcome?.report.kinds).toMatchObject({ issue: { made: 3 }, event: { made: 6 }, comment: { made: 1 } });
  const searches = await here.api<{ name: string }[]>('/organizations/acme/searches/');
  expect(searches.map(({ name }) => name)).toEqual(['My issues']);
  expect(outcome?.report.gaps).toEqual([expect.objectContaining({ kind: 'rule', count: 1 })]);
  expect(await issuesOf(here)).toEqual(await issuesOf(there));
  for (const id of ids) {
    const [ours, theirs] = await Promise.all(
      [here, there].map((one) => one.api<{ timestamp: unknown }>(`/projects/acme/web/events/${id}/json/`)),
    );
    expect(ours).toMatchObject({ event_id: id, timestamp: theirs?.timestamp, release: 'shop@1.0.0' });
  }
});
