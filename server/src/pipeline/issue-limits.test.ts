/** Limits of issues on each database and the real engine: what is stored, what is counted, and what a kill changes of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventLimit } from '../base/event-limit.ts';
import { testSecrets } from '../base/secrets/testing.ts';
import { createDecisionExpiry, hashesOf, issuesById, limitIn, limitOf, pageOfIssue } from '../domains/issues/index.ts';
import { lockProject } from '../domains/issues/record.ts';
import type { Blobs } from '../ports/blobs/blobs.ts';
import type { OpenedEvents } from '../ports/events/open.ts';
import { openPreparedEvents } from '../ports/events/testing/prepared.ts';
import { openLmdbLog } from '../ports/queue/lmdb.ts';
import { encodeReceived } from '../ports/queue/received.ts';
import type { State } from '../ports/state/state.ts';
import { onEachDatabase } from '../ports/state/testing/databases.ts';
import { defaultProjectSettings } from '../process/types.ts';
import { computeBatch } from './compute.ts';
import { type Stores, storeBatch } from './store.ts';

let dataDir: string;
let opened: OpenedEvents;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-limits-'));
  opened = await openPreparedEvents(dataDir);
});
afterAll(async () => {
  await opened.close();
  await rm(dataDir, { recursive: true, force: true });
});

let state: State;
let stores: Stores;
let projectId: number;
/** Ids of projects must differ between databases, which share the engine. */
let nextProjectId = 1;
let batches = 0;
/** Keys of what was written. */
const written: string[] = [];
const blobs: Partial<Blobs> = {
  async put(key) {
    written.push(key);
  },
};

const hour = 3_600_000;
/** Within an hour that everything of a test fits into. */
const start = Math.floor(Date.now() / hour) * hour - 48 * hour + 60_000;

interface Sent {
  readonly value?: string;
  readonly user?: string;
  readonly environment?: string;
  readonly receivedAt?: number;
  readonly browser?: { readonly digest: string };
  readonly digest?: string;
  readonly standsFor?: number;
  /** Attached file. */
  readonly file?: string;
}

function eventOf({ value = 'no price', user, environment = 'production', receivedAt = start, ...sent }: Sent) {
  const digest = sent.digest ?? sent.browser?.digest;
  return {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: receivedAt / 1000,
    platform: sent.browser ? 'javascript' : 'node',
    environment,
    tags: digest === undefined ? {} : { digest },
    user: user === undefined ? undefined : { id: user },
    exception: {
      values: [
        sent.browser
          ? { type: 'Error', value: 'Minified React error #441; visit https://react.dev/errors/441' }
          : { type: 'RangeError', value, stacktrace: { frames: [{ filename: `/app/${value}.js`, function: 'f' }] } },
      ],
    },
  };
}

/** A batch that can be run as often as one likes. */
function batch(sent: readonly Sent[], token = `limits-${(batches += 1)}`): (to?: Stores) => Promise<void> {
  const records = sent.map((one, index) => {
    const event = eventOf(one);
    const file =
      one.file === undefined
        ? ''
        : `{"type":"attachment","filename":"a.txt","length":${one.file.length}}\n${one.file}\n`;
    const body = `${JSON.stringify({ event_id: event.event_id })}\n{"type":"event"}\n${JSON.stringify(event)}\n${file}`;
    const { receivedAt = start, standsFor } = one;
    const head = { kind: 'envelope', projectId, keyId: 1, receivedAt, encoding: '' } as const;
    const whole = { ...head, ...(standsFor && { standsFor: { events: standsFor, met: [] } }) };
    return { position: index + 1, value: encodeReceived(whole, Buffer.from(body)) };
  });
  const settings = new Map([[projectId, defaultProjectSettings]]);
  return async (to = stores) => {
    const slices = computeBatch({ records, settings, maxEnvelopeBytes: 1e8, poisoned: new Set() });
    for (const slice of slices) await storeBatch(to, slice, token, Date.now());
  };
}

const times = (length: number, of: (index: number) => Sent = () => ({})): Sent[] =>
  Array.from({ length }, (_, i) => of(i));
const store = (sent: readonly Sent[]): Promise<void> => batch(sent)();

/** Stores that are away at the first insert whose token says so. */
function killedAt(part: string): Stores {
  const events = new Proxy(stores.events, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'insertBlock' && name !== 'insert') return value.bind(target) as unknown;
      return async (...args: unknown[]): Promise<unknown> => {
        if (args.some((one) => typeof one === 'string' && one.endsWith(part))) throw new Error('killed');
        return (value as (...values: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { ...stores, events };
}

const issueIds = async (): Promise<number[]> =>
  (await state.db.selectFrom('issue').select('id').where('project_id', '=', projectId).orderBy('id').execute()).map(
    ({ id }) => id,
  );

async function setLimit(limit: EventLimit | null, nowMs = start - hour): Promise<number> {
  const [issueId = 0] = await issueIds();
  await state.transaction((trx) => limitIn(trx, { issueIds: [issueId], userId: 'ada', nowMs }, limit));
  return issueId;
}

interface Counts {
  readonly stored: number;
  readonly counted: number;
  readonly users: number;
  readonly lives: number;
  readonly outcomes: Record<string, number>;
}

async function counts(): Promise<Counts> {
  const params = { project: projectId };
  const of = 'WHERE project_id = {project:UInt64}';
  const [row] = await stores.events.query<{ n: number; w: number }>(
    `SELECT count() AS n, sum(1 + stands_for) AS w FROM errors ${of}`,
    params,
  );
  const [hours] = await stores.events.query<{ n: number; u: number }>(
    `SELECT sum(events) AS n, uniqMerge(users) AS u FROM issue_hours ${of}`,
    params,
  );
  const outcomes = await stores.events.query<{ name: string; n: number }>(
    `SELECT if(reason = '', outcome, concat(outcome, ': ', reason)) AS name, sum(quantity) AS n FROM outcomes ${of} GROUP BY name`,
    params,
  );
  return {
    stored: row?.n ?? 0,
    counted: row?.w ?? 0,
    lives: hours?.n ?? 0,
    users: hours?.u ?? 0,
    outcomes: Object.fromEntries(outcomes.map(({ name, n }) => [name, n])),
  };
}

const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: true, image: null };

onEachDatabase('limits of issues', ({ migrated }) => {
  beforeEach(async () => {
    state = await migrated();
    stores = { state, events: opened.events, blobs: blobs as Blobs };
    projectId = nextProjectId++;
    await state.db
      .insertInto('organization')
      .values({ id: 'org', name: 'org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0) })
      .execute();
    const createdAt = new Date(0);
    await state.db
      .insertInto('user')
      .values({ ...ada, createdAt, updatedAt: createdAt })
      .execute();
    await state.db
      .insertInto('project')
      .values({
        id: projectId,
        organization_id: 'org',
        slug: 'web',
        name: 'web',
        platform: '',
        short_id_prefix: 'WEB',
        settings: '{}',
        created_at: 0,
        first_event_at: null,
      })
      .execute();
  });

  test('so many an hour are stored, all are counted with their users, and each has its outcome', async () => {
    await store([{ user: 'first' }]);
    const issueId = await setLimit({ events: 3, per: 'hour' });
    await store(times(10, (index) => ({ user: `u${index}` })));
    expect(await counts()).toEqual({
      stored: 4,
      counted: 11,
      lives: 11,
      users: 11,
      outcomes: { accepted: 4, 'filtered: issue-limit': 7 },
    });
    // Of a batch that keeps none, the events wait, and other issues do not notice.
    await store([...times(20, (index) => ({ user: `w${index}` })), ...times(5, () => ({ value: 'another' }))]);
    expect(await counts()).toMatchObject({ stored: 9, counted: 16, outcomes: { 'filtered: issue-limit': 27 } });
    const hourOfStart = Math.floor(start / hour) * hour;
    expect(await limitOf(state, issueId)).toEqual({
      limit: { events: 3, per: 'hour' },
      waiting: { events: 20, since: hourOfStart },
      takenFrom: null,
    });
    await store([{ receivedAt: start + hour, user: 'u1' }]);
    expect(await counts()).toMatchObject({ stored: 10, counted: 37, lives: 37, users: 31 });
    expect((await limitOf(state, issueId)).waiting).toBeNull();
    const [issue] = await state.db.selectFrom('issue').select('last_seen').where('id', '=', issueId).execute();
    expect(Number(issue?.last_seen)).toBe(start + hour);
  });

  test('users are all counted, by one event more for each 1,000 of them', async () => {
    await store([{}]);
    const issueId = await setLimit({ events: 1, per: 'hour' });
    await store([{ user: 'first' }]);
    const crowd = (from: number): Sent[] => times(1_500, (index) => ({ user: `u${from + index}` }));
    const again = batch(crowd(0));
    await again();
    await store(crowd(1_000));
    await again();
    expect(await counts()).toMatchObject({ stored: 4, counted: 3_002 });
    expect((await limitOf(state, issueId)).waiting).toBeNull();
    expect(await counts()).toMatchObject({ users: 2_501 });
    await store(crowd(2_400));
    await store([{ receivedAt: start + hour }]);
    expect(await counts()).toMatchObject({ stored: 6, counted: 4_503, users: 3_901 });
  });

  describe('a batch that is run again', () => {
    test.each(['', ':errors', ':outcomes'])('counts the same, killed at %s', async (part) => {
      await store([{}]);
      const issueId = await setLimit({ events: 2, per: 'hour' });
      const one = batch(times(15));
      if (part !== '') await expect(one(killedAt(part))).rejects.toThrow('killed');
      await one();
      await one();
      const full = batch(times(10));
      await full();
      await full();
      // Others came in between, and the limit is another one by now.
      await setLimit({ events: 50, per: 'hour' });
      await full();
      await setLimit(null);
      await full();
      await one();
      expect((await limitOf(state, issueId)).waiting?.events).toBe(10);
      expect(await counts()).toMatchObject({ stored: 3, counted: 16 });
      await store(times(5, () => ({ receivedAt: start - 1 })));
      expect(await counts()).toMatchObject({
        stored: 8,
        counted: 31,
        lives: 31,
        outcomes: { accepted: 8, 'filtered: issue-limit': 23 },
      });
      expect(await state.db.selectFrom('issue_limit').selectAll().execute()).toEqual([]);
    });

    test('decides alike though another batch was stored meanwhile', async () => {
      await store([{}]);
      const issueId = await setLimit({ events: 2, per: 'hour' });
      const [first, second] = [batch(times(5)), batch(times(5))];
      await expect(first(killedAt(':errors'))).rejects.toThrow('killed');
      await second();
      await first();
      expect(await counts()).toMatchObject({ stored: 3, counted: 6 });
      expect((await limitOf(state, issueId)).waiting?.events).toBe(5);
    });

    test('and began before the limit was set, ends without it', async () => {
      await store([{}]);
      const before = batch(times(5));
      await expect(before(killedAt(':outcomes'))).rejects.toThrow('killed');
      await setLimit({ events: 2, per: 'hour' }, start + 1);
      await before();
      expect(await counts()).toMatchObject({ stored: 6, counted: 6, outcomes: { accepted: 6 } });
    });
  });

  test('what a batch decided is forgotten once the log is done with it, and not before, however old it is', async () => {
    const box = testSecrets.boxSetup('log record');
    await using log = await openLmdbLog({ dir: await mkdtemp(join(dataDir, 'log-')), box, limitBytes: 2 ** 24 });
    await log.append(Buffer.from('a request'));
    const leased = await log.lease({ maxRecords: 1, maxBytes: 1_000 });
    if (!leased) throw new Error('nothing to lease');
    const hasLimits = () => state.transaction(async (trx) => (await lockProject(trx, projectId, start))?.hasLimits);
    const decided = () => state.db.selectFrom('issue_limit_batch').select('created_at').execute();
    await store([{}]);
    await setLimit({ events: 2, per: 'hour' });
    const run = batch(times(15), leased.token);
    await expect(run(killedAt(':outcomes'))).rejects.toThrow('killed');
    await setLimit(null);
    const later = Date.now() + 8 * 24 * hour;
    const forget = createDecisionExpiry(state, log);
    expect(await forget(later)).toBe(false);
    await run();
    expect(await counts()).toMatchObject({ stored: 3, counted: 16, outcomes: { 'filtered: issue-limit': 13 } });
    expect(await state.db.selectFrom('issue_limit').selectAll().execute()).toEqual([]);
    expect(await hasLimits()).toBe(true);
    await log.acknowledge(leased);
    expect(await createDecisionExpiry(state, log)(Date.now() + 5 * hour)).toBe(true);
    // A node of an earlier version writes no time.
    await state.db.updateTable('issue_limit_batch').set({ created_at: 0 }).execute();
    expect(await forget(later)).toBe(true);
    expect(await decided()).toEqual([{ created_at: later }]);
    expect(await forget(later + 7 * hour)).toBe(true);
    expect(await decided()).toEqual([]);
    expect(await hasLimits()).toBe(false);
  });

  test('what a storm sampled counts for all of its group', async () => {
    await store([{}]);
    await setLimit({ events: 1, per: 'hour' });
    await store(times(3, () => ({ standsFor: 9 })));
    expect(await counts()).toMatchObject({ stored: 2, counted: 31, lives: 31 });
    const spread = await state.db.selectFrom('sampled_day').select(['hash', 'spread', 'largest', 'errors']).execute();
    // As the storm left it: what a limit adds is no guess.
    expect(spread.map((row) => [Number(row.spread), Number(row.largest), Number(row.errors)])).toEqual([
      [270, 10, 27],
      [270, 10, 27],
    ]);
  });

  test('what is not stored is told by its reason, also of a batch that is run again', async () => {
    await store([{}, { environment: 'testing', standsFor: 9 }, { value: 'another', standsFor: 9 }]);
    const issueId = await setLimit({ events: 1, per: 'hour' });
    const both = batch([...times(3, () => ({ standsFor: 9 })), { environment: 'staging' }]);
    await expect(both(killedAt(':errors'))).rejects.toThrow('killed');
    await both();
    await store([{ receivedAt: start + hour }]);
    const why = async (environments: readonly string[] = []) => {
      const issue = (await issuesById(state, [issueId])).get(issueId);
      if (!issue) throw new Error('the issue is gone');
      const owning = { issue, hashes: await hashesOf(state, issueId) };
      const page = await pageOfIssue({ state, events: opened.events }, owning, { environments, nowMs: Date.now() });
      const { count, stored } = page.totals;
      return { unstored: count - stored, reasons: page.unstored };
    };
    // Each stands for nine others; two of the three are beyond the limit, and what came from staging waits.
    expect(await why()).toEqual({
      unstored: 38,
      reasons: [
        { reason: 'storm', count: 36 },
        { reason: 'issue-limit', count: 2 },
      ],
    });
    // Storms are told by hash and day.
    expect(await why(['testing'])).toEqual({ unstored: 9, reasons: [{ reason: 'storm' }, { reason: 'issue-limit' }] });
    // A day from before they were told so.
    await state.db.updateTable('sampled_day').set({ errors: null }).execute();
    expect(await why()).toEqual({ unstored: 38, reasons: [{ reason: 'storm', count: 38 }] });
    // Where it had no limit, the storm alone is left.
    await state.db.updateTable('sampled_day').set({ errors: 30 }).execute();
    expect((await why()).reasons).toContainEqual({ reason: 'issue-limit', count: 8 });
    await state.db.deleteFrom('issue_activity').where('type', '=', 'set_limit').execute();
    expect(await why()).toEqual({ unstored: 38, reasons: [{ reason: 'storm', count: 38 }] });
  });

  test('files go with their event', async () => {
    await store([{}]);
    await setLimit({ events: 1, per: 'hour' });
    await store(times(3, () => ({ file: 'a log' })));
    const params = { project: projectId };
    expect(
      await stores.events.query(
        `SELECT category, outcome, reason, sum(quantity) AS n FROM outcomes WHERE project_id = {project:UInt64}
         GROUP BY ALL ORDER BY category, outcome`,
        params,
      ),
    ).toEqual([
      { category: 'attachment', outcome: 'accepted', reason: '', n: 1 },
      { category: 'attachment', outcome: 'filtered', reason: 'issue-limit', n: 2 },
      { category: 'error', outcome: 'accepted', reason: '', n: 2 },
      { category: 'error', outcome: 'filtered', reason: 'issue-limit', n: 2 },
    ]);
    expect(
      await stores.events.query('SELECT count() AS n FROM items WHERE project_id = {project:UInt64}', params),
    ).toEqual([{ n: 1 }]);
  });

  test('views of a failure are limited with its issue, and not while they wait', async () => {
    await store([{ digest: '77' }]);
    await setLimit({ events: 1, per: 'hour' });
    await store([{ digest: '77' }, ...times(4, () => ({ browser: { digest: '77' } }))]);
    expect(await counts()).toMatchObject({
      stored: 2,
      counted: 2,
      outcomes: { accepted: 2, 'filtered: issue-limit': 4 },
    });
    await store([{ digest: '77', receivedAt: start + hour }]);
    expect(await counts()).toMatchObject({ stored: 3, counted: 7 });
    await store(times(3, () => ({ browser: { digest: '99' } })));
    const waits = (await issueIds()).at(-1) ?? 0;
    await state.transaction((trx) =>
      limitIn(trx, { issueIds: [waits], userId: 'ada', nowMs: start - hour }, { events: 1, per: 'hour' }),
    );
    await store(times(3, () => ({ browser: { digest: '99' } })));
    expect(await counts()).toMatchObject({ stored: 9, counted: 13 });
  });
});
