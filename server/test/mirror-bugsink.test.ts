/** A project that is mirrored to a real Bugsink, which groups otherwise: the comparison names what differs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { Bugsink } from './imports/bugsink.ts';

let server: Server;
let bugsink: Bugsink;

beforeAll(async () => {
  const settings = { CULPRIT_OUTBOUND_ALLOW: '127.0.0.1', CULPRIT_SELF_REPORT: 'off' };
  [server, bugsink] = await Promise.all([Server.create(settings), Bugsink.start()]);
}, 240_000);
afterAll(async () => {
  await bugsink?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Shown {
  readonly shortId: string;
  readonly title: string;
  readonly events: number;
  readonly url: string;
}
interface Compared {
  readonly there: { readonly organization: string; readonly project: string };
  readonly events: number;
  readonly groups: readonly {
    readonly kind: string;
    readonly ours: readonly Shown[];
    readonly theirs: readonly Shown[];
  }[];
  readonly missingHere: readonly { readonly eventId: string }[];
  readonly missingThere: readonly { readonly eventId: string }[];
  readonly unknown: number;
}

interface Bug {
  readonly type: string;
  readonly place: string;
  readonly value?: string;
}

async function send(dsn: string, { type, place, value = 'it failed' }: Bug): Promise<string> {
  const id = newEventId();
  const frames = [{ filename: `/app/${place}.js`, function: place, lineno: 1, colno: 1, in_app: true }];
  const exception = { values: [{ type, value, stacktrace: { frames } }] };
  const event = { timestamp: Date.now() / 1000 - 600, exception };
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body: errorEnvelope(id, event) });
  expect(response.status).toBe(200);
  return id;
}

const mirror = async () =>
  (await server.api<{ mirror: { waiting: number; forwarded: number; refused: number } }>('/projects/acme/web/mirror/'))
    .mirror;
const setMirror = (change: object) =>
  server.api('/projects/acme/web/mirror/', { method: 'PUT', body: JSON.stringify(change) });

test('the same, split, merged, and what one side has not', async () => {
  const { dsn } = server.installed;
  await setMirror({ dsn: bugsink.dsn });
  // Bugsink goes by type and text, we by the stack.
  for (const place of ['one', 'two', 'two']) await send(dsn, { type: 'MergedError', place });
  for (const value of ['while reading', 'while writing', 'while writing'])
    await send(dsn, { type: 'SplitError', place: 'three', value });
  for (let round = 0; round < 3; round++) await send(dsn, { type: 'SameError', place: 'four' });
  await server.until('all is forwarded', async () => {
    const { waiting, forwarded } = await mirror();
    return waiting === 0 && forwarded >= 9;
  });
  await setMirror({ enabled: false });
  const hereOnly = await send(dsn, { type: 'HereError', place: 'five' });
  const thereOnly = await send(bugsink.dsn, { type: 'ThereError', place: 'six' });
  await server.drained();
  expect(await mirror()).toMatchObject({ refused: 0 });

  const since = new Date(Date.now() - 3_600_000).toISOString();
  const compare = (...words: string[]) =>
    culprit(['mirror', 'compare', 'web', '--since', since, ...words], {
      CULPRIT_DATA_DIR: server.dataDir,
      CULPRIT_URL: server.url,
      CULPRIT_OUTBOUND_ALLOW: '127.0.0.1',
      CULPRIT_MIRROR_TOKEN: bugsink.token,
    });
  const { code, stdout, stderr } = await compare('--json');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const found = JSON.parse(stdout) as Compared;
  expect(found).toMatchObject({ there: { organization: 'bugsink', project: 'web-shop' }, events: 9, unknown: 0 });
  const shapes = found.groups.map(({ kind, ours, theirs }) => [
    kind,
    ours[0]?.title.split(':')[0],
    ours.map(({ events }) => events),
    theirs.map(({ events }) => events),
  ]);
  expect(shapes.toSorted()).toEqual([
    ['merged', 'MergedError', [2, 1], [3]],
    ['same', 'SameError', [3], [3]],
    ['split', 'SplitError', [3], [2, 1]],
  ]);
  expect(found.missingThere.map(({ eventId }) => eventId)).toEqual([hereOnly]);
  expect(found.missingHere.map(({ eventId }) => eventId)).toEqual([thereOnly]);
  const [their] = found.groups[0]?.theirs ?? [];
  expect(their).toMatchObject({ shortId: expect.stringMatching(/^WEB-SHOP-\d+$/) as string });
  expect((await fetch(their?.url ?? '', { redirect: 'manual' })).status).toBeLessThan(400);

  // Of one event an issue: what they have beyond is asked for one by one.
  const sampled = JSON.parse((await compare('--json', '--events', '1')).stdout) as Compared;
  expect(sampled.groups.map(({ kind }) => kind).toSorted()).toEqual(['merged', 'same', 'split']);
  const { stdout: text } = await compare();
  expect(text).toMatch(
    /Several here, one there\n {2}here {3}WEB-\d+ {2}2 events {2}MergedError.*there {2}WEB-SHOP-\d+/s,
  );
  expect(text).toMatch(/One here, several there.*SplitError/s);

  const asked = { token: bugsink.token, since };
  const answer = await server.api<Compared>('/projects/acme/web/mirror/compare/', {
    method: 'POST',
    body: JSON.stringify(asked),
  });
  expect(answer.groups.map(({ kind }) => kind)).toEqual(found.groups.map(({ kind }) => kind));
});
