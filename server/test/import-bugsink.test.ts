/** From a real Bugsink, filled by Sentry's SDK for Python, into a real Culprit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorEnvelope, envelopeUrl, newEventId, Server } from './harness.ts';
import { Bugsink } from './imports/bugsink.ts';
import { commandsFor } from './imports/guide.ts';
import { expectSameEvents, importInto } from './imports/moved.ts';

let server: Server;
let bugsink: Bugsink;
/** Sixty events of four issues; four are from 60 days ago, four from more than a year ago. */
const events = 60;
const kept = events - 4;

const day = 86_400_000;
const words = (): string[] => ['bugsink', '--url', bugsink.url];

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly substatus: string | null;
  readonly firstSeen: string;
  readonly count: string;
  readonly activity: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}

const issues = (): Promise<Issue[]> => server.api<Issue[]>('/projects/acme/web-shop/issues/?query=&statsPeriod=90d');

async function issueOf(type: string): Promise<Issue> {
  const found = (await issues()).find(({ title }) => title.startsWith(type));
  if (!found) throw new Error(`no issue of ${type}`);
  return server.api<Issue>(`/organizations/acme/issues/${found.id}/`);
}

beforeAll(async () => {
  [server, bugsink] = await Promise.all([Server.create(), Bugsink.start()]);
  await bugsink.send(events);
  const all = await bugsink.issues();
  const idOf = (type: string): string => all.find((one) => one.calculated_type === type)?.id ?? '';
  await bugsink.api(`issues/${idOf('PaymentError')}/resolve/`, {});
  await bugsink.api(`issues/${idOf('KeyError')}/mute/`, {});
  await bugsink.api(`issues/${idOf('ValueError')}/mute-until/`, {
    period_name: 'hour',
    nr_of_periods: 2,
    gte_threshold: 500,
  });
  await bugsink.api('issue-comments/', { issue: idOf('PaymentError'), comment: 'The bank was down.' });
}, 240_000);

afterAll(async () => {
  await bugsink?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

test('what would come is said, and nothing is changed', async () => {
  const { code, outcome } = await importInto(server, [...words(), '--dry-run'], bugsink.token);
  expect({ code, state: outcome?.state }).toEqual({ code: 0, state: 'done' });
  expect(outcome?.report.kinds).toMatchObject({ project: { made: 1 }, issue: { made: 4 }, event: { made: events } });
  const projects = await server.api<{ slug: string; isInternal: boolean }[]>('/organizations/acme/projects/');
  expect(projects.filter(({ isInternal }) => !isInternal).map(({ slug }) => slug)).toEqual(['web']);
});

test('it comes as it was: projects, keys, issues with their status, comments, and events field by field', async () => {
  const rule = { kind: 'issue', name: 'All that is new', conditions: [{ type: 'new_issue' }], throttle: 0 };
  const often = { ...rule, name: 'Often', conditions: [{ type: 'event_frequency', count: 1, minutes: 1_440 }] };
  const ruleIds = await Promise.all(
    [rule, often].map(async (one) => {
      const made = { method: 'POST', body: JSON.stringify(one) };
      return (await server.api<{ id: string }>('/organizations/acme/alert-rules/', made)).id;
    }),
  );
  const { code, outcome, stderr } = await importInto(server, words(), bugsink.token);
  expect({ code, stderr, detail: outcome?.detail }).toEqual({ code: 0, stderr: '', detail: '' });
  expect(outcome?.report.kinds).toMatchObject({
    team: { made: 1 },
    project: { made: 1 },
    key: { made: 1 },
    release: { made: 1 },
    rule: { made: 1 },
    issue: { made: 4, known: 0 },
    comment: { made: 1 },
    event: { made: kept, known: 0 },
  });
  expect(outcome?.report.gaps).toContainEqual(expect.objectContaining({ kind: 'event', count: events - kept }));
  expect(await expectSameEvents(server, bugsink)).toBe(kept);

  expect(await issueOf('PaymentError')).toMatchObject({ status: 'resolved', count: String(kept / 4) });
  expect(await issueOf('KeyError')).toMatchObject({ status: 'ignored', substatus: 'archived_forever' });
  expect(await issueOf('ValueError')).toMatchObject({ status: 'ignored', substatus: 'archived_until_condition_met' });
  const open = await issueOf('ZeroDivisionError');
  expect(open).toMatchObject({ status: 'unresolved', substatus: 'ongoing' });
  expect(Date.parse(open.firstSeen)).toBeLessThan(Date.now() - 59 * day);
  const { id, activity } = await issueOf('PaymentError');
  expect(activity.map(({ type }) => type).toSorted()).toEqual(['imported', 'note']);
  expect(activity.find(({ type }) => type === 'imported')?.data).toMatchObject({
    tracker: 'bugsink',
    shortId: 'WEB-SHOP-1',
    count: events / 4,
  });
  const comments = await server.api<object[]>(`/issues/${id}/comments/`);
  expect(comments).toMatchObject([{ data: { text: 'The bank was down.' } }]);

  // Rules look every few seconds.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  for (const ruleId of ruleIds) {
    expect(await server.api<object[]>(`/organizations/acme/alert-rules/${ruleId}/history/`)).toEqual([]);
  }
});

test('once more, nothing is new', async () => {
  const { outcome } = await importInto(server, words(), bugsink.token);
  const kinds = Object.entries(outcome?.report.kinds ?? {});
  expect(kinds.filter(([, { made }]) => made > 0)).toEqual([]);
  expect(outcome?.report.kinds).toMatchObject({ issue: { known: 4 }, event: { known: kept }, comment: { known: 1 } });
  const rows = await (
    await server.events()
  ).query<{ n: number }>('SELECT count() AS n FROM errors WHERE project_id = {id:UInt64}', {
    id: Number((await server.api<{ id: string }>('/projects/acme/web-shop/')).id),
  });
  expect(rows.map(({ n }) => Number(n))).toEqual([kept]);
});

test('only the host of the DSN has to change: its key and its project id are here', async () => {
  const { username } = new URL(bugsink.dsn);
  const dsn = `http://${username}@127.0.0.1:${server.port}/4507`;
  const eventId = newEventId();
  const sent = await fetch(envelopeUrl(dsn), { method: 'POST', body: errorEnvelope(eventId) });
  expect(sent.status).toBe(200);
  await server.drained();
  await server.api(`/projects/acme/web-shop/events/${eventId}/json/`);
  const [key] = await server.api<{ dsn: { aliases: string[] } }[]>('/projects/acme/web-shop/keys/');
  expect(key?.dsn.aliases).toEqual([expect.stringMatching(new RegExp(`//${username}@.*/4507$`))]);
});

test('the commands of the guide', async () => {
  const commands = await commandsFor('bugsink', bugsink.url, bugsink.token, server);
  expect(commands).toHaveLength(1);
  for (const command of commands) expect((await importInto(server, command, bugsink.token)).code).toBe(0);
});

test('what is wrong is said with what to do', async () => {
  const wrong = async (args: readonly string[], token = bugsink.token) =>
    (await importInto(server, args, token)).outcome?.detail;
  expect(await wrong(words(), 'f'.repeat(40))).toMatch(/token is wrong, expired or revoked/);
  expect(await wrong(['bugsink', '--url', `${bugsink.url}/nowhere`])).toMatch(/--url/);
  expect(await wrong(['bugsink', '--url', server.url])).toMatch(/--url|web page/);
  expect(await wrong([...words(), '--project', 'nothing'])).toMatch(/no project nothing/);
});
