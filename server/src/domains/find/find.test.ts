import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenedEvents } from '../../ports/events/open.ts';
import { openPreparedEvents } from '../../ports/events/testing/prepared.ts';
import { countStatements } from '../../ports/events/testing/statements.ts';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import type { ErrorRow } from '../../base/tables/errors.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import { recordBatch } from '../issues/index.ts';
import { errorRow, hash } from '../issues/testing/stores.ts';
import { insertProject, noteFirstSpans, type Project } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { find } from './find.ts';
import { lineOf } from './frame.ts';
import type { Answer } from './types.ts';

const now = Date.now();
const minute = 60_000;
const digest = '1930860604';
const masked =
  'An error occurred in the Server Components render. The specific message is omitted in production builds to avoid leaking sensitive details.';
const url = 'https://shop.example.com/product/7';

const payload = (line: number): string =>
  JSON.stringify({
    exception: {
      values: [
        {
          type: 'RangeError',
          value: 'invoice 7 missing',
          stacktrace: {
            frames: [
              { filename: 'node:internal/timers', function: 'listOnTimeout', in_app: false, lineno: 1 },
              {
                filename: 'app/product/[id]/page.tsx',
                function: 'getPrice',
                in_app: true,
                lineno: line,
                colno: 17,
                pre_context: ['function getPrice(product) {'],
                context_line: '  return product.price;',
                post_context: ['}'],
              },
              { filename: 'node_modules/next/server.js', function: 'render', in_app: false, lineno: 9 },
            ],
          },
        },
      ],
    },
  });

onEachDatabase('find', ({ migrated }) => {
  let dataDir: string;
  let store: OpenedEvents;
  let state: State;
  let shop: Project;
  let other: Project;
  let made = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'culprit-find-'));
    store = await openPreparedEvents(dataDir);
  });
  afterAll(async () => {
    await store?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Two organisations of one project each; the numbers go on, as all tests share one events store. */
  const start = async (): Promise<void> => {
    state = await migrated();
    for (const id of ['a', 'b']) {
      await state.db
        .insertInto('organization')
        .values({ id, name: id, slug: id, logo: null, metadata: null, createdAt: new Date().toISOString() })
        .execute();
    }
    [shop, other] = (await state.transaction(async (trx) => [
      (await insertProject(trx, { organizationId: 'a', name: 'shop', platform: 'javascript-nextjs' })).project,
      (await insertProject(trx, { organizationId: 'b', name: 'shop' })).project,
    ])) as [Project, Project];
    made += 1_000;
    await state.db.deleteFrom('project_key').execute();
    await state.db
      .updateTable('project')
      .set({ id: shop.id + made })
      .where('id', '=', shop.id)
      .execute();
    await state.db
      .updateTable('project')
      .set({ id: other.id + made })
      .where('id', '=', other.id)
      .execute();
    shop = { ...shop, id: shop.id + made };
    other = { ...other, id: other.id + made };
  };
  let counter = 0;
  const server = (overrides: Partial<ErrorRow> = {}): ErrorRow => {
    counter += 1;
    return errorRow({
      project_id: shop.id,
      group_hash: hash(`group of ${shop.id}`),
      platform: 'node',
      timestamp: now - 5 * minute,
      error_type: 'RangeError',
      error_value: 'invoice 7 missing',
      payload: payload(42),
      digest,
      trace_id: hash(`trace ${shop.id} ${counter}`),
      tags: { url, 'runtime.name': 'node' },
      ...overrides,
    });
  };
  const browser = (overrides: Partial<ErrorRow> = {}): ErrorRow =>
    server({
      platform: 'javascript',
      group_hash: hash(`browser ${shop.id}`),
      error_type: 'Error',
      error_value: masked,
      digest: '',
      tags: { url },
      ...overrides,
    });
  const put = async (...rows: ErrorRow[]): Promise<void> => {
    await recordBatch(
      state,
      rows.map((row) => ({
        row,
        side: row.platform === 'node' ? ('server' as const) : ('browser' as const),
        grouping: { version: row.grouping_version, hashes: row.group_hashes, basis: 'exception', tree: [] },
        seed: {
          title: row.title,
          culprit: row.culprit,
          level: 'error',
          platform: row.platform,
          type: 'error',
          metadata: {},
        },
      })),
      now,
    );
    await store.events.insert('errors', rows, `find:${(counter += 1)}`);
  };
  const putSpans = (...rows: Partial<SpanRow>[]): Promise<void> =>
    store.events.insert(
      'spans',
      rows.map((row) => testSpanRow({ project_id: shop.id, started_at: (now - 5 * minute) * 1000, ...row })),
      `find:${(counter += 1)}`,
    );
  const ask = (
    text: string,
    options: { readonly projects?: readonly Project[]; readonly nowMs?: number } = {},
  ): Promise<Answer> =>
    find(
      { state, events: store.events },
      { text, projects: [shop], ownHosts: ['culprit.test'], nowMs: now, ...options },
    );
  const cause = async (text: string): Promise<Extract<Answer, { kind: 'cause' }>> => {
    const answer = await ask(text);
    if (answer.kind !== 'cause') throw new Error(`${text} leads to ${answer.kind}`);
    return answer;
  };

  test('the whole message leads to the line, how often, since when, and who saw it', async () => {
    await start();
    const first = server({ timestamp: now - 60 * minute, release: 'shop@1' });
    const second = server({ timestamp: now - 10 * minute, release: 'shop@2' });
    await put(
      first,
      second,
      browser({ trace_id: second.trace_id, timestamp: now - 9 * minute }),
      browser({ digest, trace_id: '' }),
      browser(),
    );
    const answer = await cause(
      `Application error: a server-side exception has occurred while loading shop.example.com (see the server logs for more information).\nDigest: ${digest}`,
    );
    const [one] = answer.causes;
    expect(answer).toMatchObject({
      matchedBy: 'digest',
      value: digest,
      host: 'shop.example.com',
      events: 2,
      visits: { count: 2, unit: 'traces' },
      firstSeen: first.timestamp,
      lastSeen: second.timestamp,
      releases: ['shop@2', 'shop@1'],
      more: 0,
      traces: [{ id: second.trace_id, serverEvents: 1, browserEvents: 1 }],
    });
    expect(answer.shown).toHaveLength(2);
    expect(one?.event.eventId).toBe(second.event_id);
    expect(one?.thrown).toMatchObject({ type: 'RangeError', value: 'invoice 7 missing' });
    expect(lineOf(one?.thrown?.frame ?? {})).toEqual({
      file: 'app/product/[id]/page.tsx',
      function: 'getPrice',
      line: 42,
      column: 17,
      context: [
        [41, 'function getPrice(product) {'],
        [42, '  return product.price;'],
        [43, '}'],
      ],
    });
  });

  test('every form of the digest, the event of either side, and the trace lead to the same cause', async () => {
    await start();
    const cause1 = server();
    const twin = browser({ trace_id: cause1.trace_id });
    await put(cause1, twin);
    for (const text of [
      digest,
      `ERROR ${digest}`,
      `${digest}@E7`,
      `https://culprit.test/d/${digest}`,
      cause1.event_id,
      twin.event_id,
      cause1.trace_id,
    ]) {
      const answer = await cause(text);
      expect(answer.causes.map(({ event }) => event.eventId)).toEqual([cause1.event_id]);
      expect(answer.shown.map(({ eventId }) => eventId)).toEqual([twin.event_id]);
      expect(answer.traces.map(({ id }) => id)).toEqual([cause1.trace_id]);
    }
    expect((await ask(cause1.trace_id)).understood[0]?.kind).toBe('trace');
  });

  test('a span id leads to its event', async () => {
    await start();
    const event = server({ span_id: '8efd84a8c32d4e7c' });
    await put(event);
    expect((await cause('8EFD84A8C32D4E7C')).causes[0]?.event.eventId).toBe(event.event_id);
  });

  describe('of traces', () => {
    const start16 = (name: string): string => hash(`${name} ${shop.id}`).slice(0, 16);
    /** A request with a query that fails, and the page that asked for it; of the page more is late. */
    const putTrace = async (traceId: string): Promise<void> => {
      const common = { trace_id: traceId, segment_id: start16('request'), is_segment: 0 as const, service: 'api' };
      await putSpans(
        {
          ...common,
          span_id: start16('request'),
          parent_span_id: start16('page'),
          is_segment: 1,
          name: 'POST /checkout',
          op: 'http.server',
          failed: 1,
        },
        {
          ...common,
          span_id: start16('query'),
          parent_span_id: start16('request'),
          name: 'SELECT 1',
          op: 'db',
          duration_us: 7_000,
          failed: 1,
        },
        {
          ...common,
          service: 'web',
          span_id: start16('page'),
          parent_span_id: '',
          is_segment: 1,
          name: '/cart',
          op: 'pageload',
          started_at: (now - 6 * minute) * 1000,
          duration_us: 90_000_000,
        },
      );
    };

    test('one without errors is found by its id, by a span of it, and by the headers that carry both', async () => {
      await start();
      const traceId = hash(`quiet ${shop.id}`);
      const [query, page] = [start16('query'), start16('page')];
      await putTrace(traceId);
      const facts = {
        id: traceId,
        startUs: (now - 6 * minute) * 1000,
        durationUs: 90_000_000,
        spans: 3,
        failed: 2,
        services: 2,
        root: { id: page, name: '/cart', op: 'pageload', service: 'web', projectId: shop.id },
      };
      const span = { id: query, name: 'SELECT 1', op: 'db', service: 'api', durationUs: 7_000, failed: true };
      expect(await ask(traceId)).toMatchObject({
        kind: 'trace',
        matchedBy: 'trace',
        trace: { ...facts, span: undefined },
        understood: [{ kind: 'trace', value: traceId }],
      });
      expect(await ask(query)).toMatchObject({ kind: 'trace', matchedBy: 'span', trace: { ...facts, span } });
      for (const text of [
        `traceparent: 00-${traceId}-${query}-01`,
        `sentry-trace: ${traceId}-${query}-1`,
        `https://culprit.test/traces/${traceId}?span=${query}`,
      ])
        expect(await ask(text), text).toMatchObject({ kind: 'trace', trace: { ...facts, span } });
      expect(await ask(`${traceId}-${'0'.repeat(16)}`)).toMatchObject({ kind: 'trace', trace: { span: undefined } });
      expect(await ask(traceId, { projects: [other] })).toMatchObject({ kind: 'nothing' });
      expect(await ask(query, { projects: [other] })).toMatchObject({ kind: 'nothing' });
    });

    test('a performance problem is no failure of its trace, and is found by its own id', async () => {
      await start();
      const traceId = hash(`slow ${shop.id}`);
      const problem = server({
        trace_id: traceId,
        span_id: start16('query'),
        digest: '',
        issue_type: 'performance_slow_db_query',
      });
      await put(problem);
      await putTrace(traceId);
      for (const text of [traceId, problem.span_id]) expect((await ask(text)).kind, text).toBe('trace');
      expect((await cause(problem.event_id)).causes[0]?.event.eventId).toBe(problem.event_id);
      expect(await ask('Digest: 4711')).toMatchObject({ evidence: { serverErrors: [], lastServerEvent: undefined } });
    });

    test('an error of it comes first, and every cause says in which span it happened', async () => {
      await start();
      const event = server({ span_id: start16('query') });
      await put(event);
      await putTrace(event.trace_id);
      for (const text of [digest, event.event_id, event.trace_id, event.span_id]) {
        const [one] = (await cause(text)).causes;
        expect(one?.event.eventId, text).toBe(event.event_id);
        expect(one?.trace, text).toMatchObject({
          id: event.trace_id,
          durationUs: 90_000_000,
          root: { name: '/cart' },
          span: { id: event.span_id, name: 'SELECT 1', failed: true },
        });
      }
      const untraced = server({ trace_id: '', digest: '77' });
      const elsewhere = server({ digest: '78' });
      await put(untraced, elsewhere);
      expect((await cause('77')).causes[0]?.trace).toBeUndefined();
      expect((await cause('78')).causes[0]?.trace).toBeUndefined();
    });
  });

  test('a digest only in the browser finds the server event by trace', async () => {
    await start();
    const silent = server({ digest: '' });
    await put(silent, browser({ digest, trace_id: silent.trace_id }));
    const answer = await cause(digest);
    expect(answer.causes[0]?.event.eventId).toBe(silent.event_id);
    expect(answer.shown).toHaveLength(1);
  });

  test('digests collide: one line per issue, the newest first, at most five, differing frames marked', async () => {
    await start();
    await put(
      ...Array.from({ length: 7 }, (_, index) =>
        server({
          group_hash: hash(`collision ${shop.id} ${index}`),
          timestamp: now - index * minute,
          payload: payload(index < 2 ? 1 : index),
        }),
      ),
    );
    const { causes, more } = await cause(digest);
    expect(causes.map(({ event }) => event.at)).toEqual([0, 1, 2, 3, 4].map((index) => now - index * minute));
    expect(causes.map(({ differs }) => differs)).toEqual([false, false, true, true, true]);
    expect(more).toBe(2);
  });

  test('more events than are looked at are counted all the same', async () => {
    await start();
    await put(...Array.from({ length: 620 }, (_, index) => server({ timestamp: now - index * 1_000, payload: '{}' })));
    expect(await cause(digest)).toMatchObject({
      events: 620,
      visits: { count: 620, unit: 'traces' },
      firstSeen: now - 619_000,
      causes: [{ events: 620 }],
    });
  });

  test('visits are events where one has no trace', async () => {
    await start();
    const twice = server();
    await put(twice, server({ trace_id: twice.trace_id }));
    expect((await cause(digest)).visits).toEqual({ count: 1, unit: 'traces' });
    await put(server({ trace_id: '' }));
    expect((await cause(digest)).visits).toEqual({ count: 3, unit: 'events' });
  });

  test('what a browser reported by itself is its own cause', async () => {
    await start();
    const own = browser({ error_type: 'TypeError', error_value: 'x is undefined' });
    await put(own);
    expect((await cause(own.event_id)).causes[0]?.event.side).toBe('browser');
    expect((await cause(own.trace_id)).causes[0]?.event.side).toBe('browser');
  });

  describe('without a cause', () => {
    test('only browsers: the last server event, and whether digests are tagged', async () => {
      await start();
      const working = server({ digest: '', timestamp: now - 3 * 60 * minute });
      await put(working, browser({ digest, timestamp: now - minute, tags: { url, turbopack: 'true' } }));
      const answer = await ask(digest);
      expect(answer).toMatchObject({
        kind: 'browser_only',
        host: 'shop.example.com',
        evidence: {
          hostKnown: true,
          lastServerEvent: { eventId: working.event_id },
          serverErrors: [],
          digests: { seen: true },
          framework: { name: 'nextjs', sdk: 'sentry.javascript.nextjs', bundler: 'turbopack' },
        },
      });
      expect('issue' in answer && answer.issue).toBeTruthy();
    });

    test('nothing: errors of the last hour on this host, what was dropped, no digest ever', async () => {
      await start();
      const near = server({ digest: '' });
      const far = server({ digest: '', group_hash: hash('far'), tags: { url: 'https://other.example.com/' } });
      await put(near, far);
      await store.events.insert(
        'outcomes',
        [
          {
            project_id: shop.id,
            minute: now - minute,
            category: 'error',
            outcome: 'rate_limited',
            reason: 'key',
            quantity: 212,
          },
          {
            project_id: shop.id,
            minute: now - minute,
            category: 'error',
            outcome: 'accepted',
            reason: '',
            quantity: 5,
          },
        ],
        `find:outcomes:${shop.id}`,
      );
      expect(await ask(`while loading shop.example.com Digest: 7`)).toMatchObject({
        kind: 'nothing',
        digest: '7',
        evidence: {
          host: 'shop.example.com',
          hostKnown: true,
          serverErrors: [{ event: { eventId: near.event_id } }],
          dropped: [{ outcome: 'rate_limited', reason: 'key', quantity: 212 }],
          digests: { seen: false },
          framework: { name: 'nextjs', bundler: 'webpack' },
        },
      });
      expect(await ask('while loading nobody.example.com Digest: 7')).toMatchObject({
        kind: 'nothing',
        evidence: { hostKnown: false, projects: [{ id: shop.id }] },
      });
    });

    test('an empty project has no evidence but its platform', async () => {
      await start();
      expect(await ask('Digest: 7')).toMatchObject({
        kind: 'nothing',
        evidence: {
          lastEvent: undefined,
          serverErrors: [],
          dropped: [],
          digests: { seen: false },
          framework: { name: 'nextjs', sdk: '' },
        },
      });
    });
  });

  test('a screen without a digest, and an address, lead to what failed there lately', async () => {
    await start();
    const client = browser({ error_value: 'x is undefined' });
    await put(client, server({ tags: { url: 'https://shop.example.com/cart' } }));
    const screen = await ask(
      'Application error: a client-side exception has occurred while loading shop.example.com (see the browser console for more information).',
    );
    expect(screen).toMatchObject({ kind: 'page', issues: [{ event: { eventId: client.event_id } }] });
    expect(await ask('https://shop.example.com/cart')).toMatchObject({
      kind: 'page',
      path: '/cart',
      issues: [{ event: { side: 'server' } }],
    });
  });

  test('issues by short id, number and address; words and releases go to the search', async () => {
    await start();
    await put(server({ digest: '' }));
    const { id } = await state.db.selectFrom('issue').select('id').executeTakeFirstOrThrow();
    for (const text of ['SHOP-1', 'shop-1', `#${id}`, String(id), 'https://culprit.test/issues/SHOP-1']) {
      expect(await ask(text)).toMatchObject({ kind: 'issue', issue: { id } });
    }
    expect((await ask(String(id))).understood).toMatchObject([{ kind: 'issue' }]);
    expect(await ask('SHOP-99')).toMatchObject({ kind: 'nothing', digest: undefined });
    expect(await ask('cannot read "price"')).toMatchObject({ kind: 'search', search: '"cannot read  price"' });
    expect(await ask('4f2c19aa')).toMatchObject({ kind: 'search', search: 'release:*4f2c19aa*' });
    expect(await ask('shop@1.4.2')).toMatchObject({ kind: 'search', search: 'release:"shop@1.4.2"' });
    expect(await ask(' ')).toMatchObject({ kind: 'empty' });
  });

  test('few statements', async () => {
    await start();
    const failed = server();
    await put(failed, browser({ trace_id: failed.trace_id }));
    const asked = (text: string) => countStatements(store.events, () => ask(text));
    expect(await asked(`Digest: ${digest}`)).toMatchObject({ total: 3 });
    // That the project has no spans is remembered until it gets some.
    expect(await asked(failed.event_id)).toMatchObject({ total: 4 });
    expect(await asked(failed.trace_id)).toMatchObject({ total: 4 });
    expect(await asked(hash('nothing'))).toMatchObject({ total: 4 });
    // The newest events are remembered.
    expect(await asked('Digest: 7')).toEqual({ total: 1, inARow: 1 });
    expect(await asked('SHOP-1')).toMatchObject({ total: 0 });
    await putSpans({ trace_id: failed.trace_id });
    await noteFirstSpans(state, [shop.id], now);
    expect((await cause(failed.event_id)).causes).toMatchObject([{ trace: { id: failed.trace_id, spans: 1 } }]);
    expect(await asked(failed.event_id)).toMatchObject({ total: 5 });
  });

  test('nothing of another organisation is found by any means', async () => {
    await start();
    const theirs = server({ project_id: other.id });
    await put(theirs, browser({ project_id: other.id, trace_id: theirs.trace_id }));
    const mine = browser({ trace_id: theirs.trace_id, digest: '4242' });
    await put(mine);
    for (const text of [digest, theirs.event_id, 'while loading shop.example.com']) {
      const answer = await ask(text);
      expect(answer.kind).not.toBe('cause');
      expect(JSON.stringify({ ...answer, understood: [] })).not.toContain(theirs.event_id);
    }
    expect(await ask('4242')).toMatchObject({ kind: 'browser_only', shown: [{ eventId: mine.event_id }] });
    expect(await ask(digest, { projects: [] })).toMatchObject({ kind: 'nothing' });
  });
});
