/** Views and server events meet whatever the order of their steps, on each database and the real engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lasting } from '../base/testing.ts';
import type { RecordedProject } from '../domains/issues/index.ts';
import type { Blobs } from '../ports/blobs/blobs.ts';
import type { Events } from '../ports/events/events.ts';
import type { OpenedEvents } from '../ports/events/open.ts';
import { openPreparedEvents } from '../ports/events/testing/prepared.ts';
import { encodeReceived } from '../ports/queue/received.ts';
import type { State } from '../ports/state/state.ts';
import { onEachDatabase } from '../ports/state/testing/databases.ts';
import { computeBatch } from './compute.ts';
import { type Stores, storeBatch } from './store.ts';
import { defaultProjectSettings } from '../process/types.ts';

let dataDir: string;
let opened: OpenedEvents;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-twins-'));
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

const id = (): string => crypto.randomUUID().replaceAll('-', '');
const start = Date.now();

interface Sent {
  readonly side: 'server' | 'browser';
  readonly trace?: string;
  readonly digest?: string;
  readonly value?: string;
  readonly at?: number;
  readonly user?: string;
}

function eventOf({ side, trace, digest, value = 'invoice missing', at = start, user }: Sent): object {
  const isServer = side === 'server';
  return {
    event_id: id(),
    timestamp: at / 1000,
    platform: isServer ? 'node' : 'javascript',
    tags: digest === undefined ? {} : { digest },
    user: user === undefined ? undefined : { id: user },
    contexts: trace === undefined ? {} : { trace: { trace_id: trace, span_id: 'b'.repeat(16) } },
    exception: {
      values: [
        isServer
          ? { type: 'RangeError', value, stacktrace: { frames: [{ filename: `/app/${value}.js`, function: 'd' }] } }
          : { type: 'Error', value: 'Minified React error #441; visit https://react.dev/errors/441' },
      ],
    },
  };
}

/** A batch that can be run as often as one likes. */
function batch(...sent: readonly Sent[]): (to?: Stores, now?: number) => Promise<RecordedProject[]> {
  const records = sent.map((one, index) => {
    const body = `{}\n{"type":"event"}\n${JSON.stringify(eventOf(one))}\n`;
    const head = { kind: 'envelope', projectId, keyId: 1, receivedAt: start, encoding: '' } as const;
    return { position: index + 1, value: encodeReceived(head, Buffer.from(body)) };
  });
  const token = `twins-${(batches += 1)}`;
  const settings = new Map([[projectId, defaultProjectSettings]]);
  return async (to = stores, now = Date.now()) => {
    const slices = computeBatch({ records, settings, maxEnvelopeBytes: 1e8, poisoned: new Set() });
    const recorded: RecordedProject[] = [];
    for (const slice of slices) recorded.push(...(await storeBatch(to, slice, token, now)));
    return recorded;
  };
}

/** The stores with something done first at the first call of a method. */
function before(method: 'query' | 'insertBlock', isIt: (text: string) => boolean, act: () => Promise<unknown>): Stores {
  let done = false;
  const events = new Proxy(stores.events, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== method) return value.bind(target) as unknown;
      return async (...args: unknown[]): Promise<unknown> => {
        if (!done && args.some((one) => typeof one === 'string' && isIt(one))) {
          done = true;
          await act();
        }
        return (value as (...values: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { ...stores, events };
}

/** Events and users by the title of their issue, unresolved ones only. */
async function counts(): Promise<Record<string, [events: number, users: number]>> {
  const owners = await state.db
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select(['hash', 'title'])
    .where('issue.project_id', '=', projectId)
    .where('status', '=', 'unresolved')
    .execute();
  const found: Record<string, [number, number]> = {};
  for (const [title, rows] of Map.groupBy(owners, (row) => row.title)) {
    const [row] = await stores.events.query<{ n: number; u: number }>(
      `SELECT sum(events) AS n, uniqMerge(users) AS u FROM issue_hours
       WHERE project_id = {project:UInt64} AND group_hash IN {hashes:Array(String)}`,
      { project: projectId, hashes: rows.map(({ hash }) => hash) },
    );
    found[title] = [row?.n ?? 0, row?.u ?? 0];
  }
  return found;
}

const stored = async (): Promise<number> => {
  const [row] = await stores.events.query<{ n: number }>(
    'SELECT count() AS n FROM errors WHERE project_id = {project:UInt64}',
    { project: projectId },
  );
  return row?.n ?? 0;
};

const isViews = (token: string): boolean => token.includes(':twins');

const cause = 'RangeError: invoice missing';
const waiting = 'Server failures without a server event';

onEachDatabase('twins', ({ migrated }) => {
  beforeEach(async () => {
    state = await migrated();
    stores = { state, events: opened.events as Events, blobs: {} as Blobs };
    projectId = nextProjectId++;
    await state.db
      .insertInto('organization')
      .values({ id: 'org', name: 'org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0) })
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

  describe('steps of two batches in any order', () => {
    const trace = id();
    const pair = () => ({
      server: batch({ side: 'server', trace, user: 'a' }),
      view: batch({ side: 'browser', trace, user: 'a' }),
    });
    const isLookUp = (text: string): boolean => text.includes('trace_id IN');

    test.each<[string, () => Promise<void>]>([
      [
        'the server’s first',
        async () => {
          const { server, view } = pair();
          await server();
          await view();
        },
      ],
      [
        'the view’s first',
        async () => {
          const { server, view } = pair();
          await view();
          await server();
        },
      ],
      [
        'the view’s before the server’s rows are stored',
        async () => {
          const { server, view } = pair();
          await server(before('insertBlock', () => true, view));
        },
      ],
      [
        'the server’s after the view has looked for it',
        async () => {
          const { server, view } = pair();
          // The transaction that follows the look-up begins after the server's batch is done.
          let looked = false;
          const late = new Proxy(stores.state, {
            get(target, name) {
              const value: unknown = Reflect.get(target, name);
              if (name !== 'transaction' || typeof value !== 'function') return value;
              return async (...args: unknown[]): Promise<unknown> => {
                if (!looked) await server();
                looked = true;
                return (value as (...values: unknown[]) => unknown).apply(target, args);
              };
            },
          });
          await view({ ...stores, state: late });
        },
      ],
      [
        'the server’s before the view is stored',
        async () => {
          const { server, view } = pair();
          await view(before('insertBlock', isViews, server));
        },
      ],
      [
        'the server’s before the view looks a first time',
        async () => {
          const { server, view } = pair();
          await view(before('query', isLookUp, server));
        },
      ],
      [
        'both at once',
        async () => {
          const { server, view } = pair();
          await Promise.all([server(), view()]);
        },
      ],
      [
        'each twice',
        async () => {
          const { server, view } = pair();
          await view();
          await view();
          await server();
          await server();
          await view();
        },
      ],
    ])('%s', async (_name, run) => {
      await run();
      expect(await counts()).toEqual({ [cause]: [2, 1] });
      expect(await stored()).toBe(2);
    });
  });

  test('a batch says between which issues stored events moved, for batches that store meanwhile', async () => {
    const failure = { trace: id() };
    let settled: RecordedProject[] = [];
    const viewed = await batch({ side: 'browser', ...failure })(
      before('insertBlock', isViews, async () => {
        settled = await batch({ side: 'server', ...failure })();
      }),
    );
    const [{ issueIds, movedIssueIds = [] } = { issueIds: [] }] = settled;
    expect([...movedIssueIds].toSorted()).toEqual([...issueIds].toSorted());
    expect(movedIssueIds).toHaveLength(2);
    // Its rows are of the other issue by now.
    expect(viewed.map((project) => project.issueIds)).toEqual([[expect.toBeOneOf([...movedIssueIds])]]);
    expect(await counts()).toEqual({ [cause]: [2, 0] });
  });

  test('a batch that broke off before its views were stored keeps their hashes', async () => {
    const failure = { trace: id() };
    const view = batch({ side: 'browser', ...failure }, { side: 'browser', ...failure }, { side: 'browser' });
    const broken = before('insertBlock', isViews, () => Promise.reject(new Error('gone')));
    await expect(view(broken)).rejects.toThrow('gone');
    expect(await stored()).toBe(0);
    await batch({ side: 'server', ...failure })();
    await view();
    expect(await counts()).toEqual({ [cause]: [3, 0], [waiting]: [1, 0] });
  });

  test('many writers at once leave one issue a cause', async () => {
    // More than there are connections to PostgreSQL.
    const length = lasting(6, 16);
    const failures = Array.from({ length }, (_, n) => ({ trace: id(), value: `cause ${'ab'[n % 2]}` }));
    const runs = failures.flatMap((failure) => [
      batch({ side: 'browser', trace: failure.trace }),
      batch({ side: 'server', ...failure }),
    ]);
    await Promise.all(runs.map((run) => run()));
    expect(await counts()).toEqual({ 'RangeError: cause a': [length, 0], 'RangeError: cause b': [length, 0] });
  });

  test('with one digest all visits follow the first, and need no row each', async () => {
    await batch({ side: 'server', digest: '5', trace: id() })();
    for (let visit = 0; visit < 5; visit++) await batch({ side: 'browser', digest: '5', trace: id() })();
    expect(await counts()).toEqual({ [cause]: [6, 0] });
    expect(await state.db.selectFrom('twin').selectAll().execute()).toHaveLength(1);
    expect(await state.db.selectFrom('issue_hash').selectAll().where('basis', '=', 'twin').execute()).toEqual([]);
  });

  test('an issue’s times and release cover its views', async () => {
    const failure = { trace: id() };
    await batch({ side: 'browser', ...failure, at: start - 9_000 })();
    await batch({ side: 'browser', ...failure, at: start + 9_000 })();
    await batch({ side: 'server', ...failure })();
    const issue = await state.db.selectFrom('issue').selectAll().where('title', '=', cause).executeTakeFirstOrThrow();
    expect(issue).toMatchObject({ first_seen: start - 9_000, last_seen: start + 9_000 });
    const activity = await state.db.selectFrom('issue_activity').selectAll().where('issue_id', '=', issue.id).execute();
    expect(activity.map(({ type }) => type)).toEqual(['first_seen', 'views_attached']);
  });

  test('an issue that nothing is left of is resolved, and opened again by the next view that waits', async () => {
    const failure = { trace: id() };
    await batch({ side: 'browser', ...failure })();
    await batch({ side: 'server', ...failure })();
    expect(await counts()).toEqual({ [cause]: [2, 0] });
    await batch({ side: 'browser', trace: id(), at: start + 1_000 })();
    expect(await counts()).toEqual({ [cause]: [2, 0], [waiting]: [1, 0] });
    expect(await state.db.selectFrom('issue').selectAll().where('title', '=', waiting).execute()).toHaveLength(1);
  });

  test('what was forgotten is found by its hash, and still moves', async () => {
    const failure = { digest: '88' };
    await batch({ side: 'browser', ...failure })();
    await state.db.updateTable('twin').set({ created_at: 0 }).execute();
    await batch({ side: 'browser', ...failure })();
    expect(await counts()).toEqual({ [waiting]: [2, 0] });
    expect(await state.db.selectFrom('twin').select('state').execute()).toEqual([{ state: 'waiting' }]);
    await batch({ side: 'server', ...failure })();
    expect(await counts()).toEqual({ [cause]: [3, 0] });
    await state.db.updateTable('twin').set({ created_at: 0 }).execute();
    await batch({ side: 'browser', ...failure })();
    expect(await counts()).toEqual({ [cause]: [4, 0] });
  });

  test('no more hashes than an issue’s queries can name; what has no room stays in one issue', async () => {
    const traces = Array.from({ length: 1_010 }, id);
    await batch(...traces.map((trace) => ({ side: 'browser', trace }) as const))();
    expect(await counts()).toEqual({ [waiting]: [1_010, 0] });
    const hashes = await state.db.selectFrom('issue_hash').selectAll().execute();
    expect(hashes).toHaveLength(1_000);
    await batch(...traces.map((trace) => ({ side: 'server', trace }) as const))();
    expect(await counts()).toEqual({ [cause]: [1_010 + 999, 0], [waiting]: [11, 0] });
  });

  test('views of a project that was deleted meanwhile are left out', async () => {
    const view = batch({ side: 'browser', trace: id() });
    await state.db.deleteFrom('project').execute();
    await view();
    expect(await stored()).toBe(0);
  });
});
