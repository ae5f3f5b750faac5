/**
 * Two organisations with a shop each, whose events Find is asked about. All tests of a file share one events store: the
 * numbers of their projects go on.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { OpenedEvents } from '../../../ports/events/open.ts';
import { openPreparedEvents } from '../../../ports/events/testing/prepared.ts';
import { testSpanRow } from '../../../ports/events/test-rows.ts';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import type { SpanRow } from '../../../base/tables/spans.ts';
import { recordBatch } from '../../issues/index.ts';
import { errorRow, hash } from '../../issues/testing/stores.ts';
import { insertProject, type Project } from '../../projects/index.ts';
import type { State } from '../../../ports/state/state.ts';
import { find } from '../find.ts';
import type { Answer } from '../types.ts';

export const now = Date.now();
export const minute = 60_000;
export const digest = '1930860604';
export const url = 'https://shop.example.com/product/7';
const masked =
  'An error occurred in the Server Components render. The specific message is omitted in production builds to avoid leaking sensitive details.';

/** Of an event that was thrown in this line. */
export const payload = (line: number): string =>
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

export interface Shops {
  readonly state: State;
  readonly store: OpenedEvents;
  readonly shop: Project;
  /** Of the other organisation. */
  readonly other: Project;
  /** An error of the server, and one of a browser that shows what came of it. */
  server(overrides?: Partial<ErrorRow>): ErrorRow;
  browser(overrides?: Partial<ErrorRow>): ErrorRow;
  put(...rows: ErrorRow[]): Promise<void>;
  putSpans(...rows: Partial<SpanRow>[]): Promise<void>;
  ask(text: string, options?: { readonly projects?: readonly Project[] }): Promise<Answer>;
  cause(text: string): Promise<Extract<Answer, { kind: 'cause' }>>;
}

/** For the tests of a block; each starts with shops of its own. */
export function useShops(migrated: () => Promise<State>): () => Promise<Shops> {
  let dataDir: string;
  let store: OpenedEvents;
  let made = 0;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'culprit-find-'));
    store = await openPreparedEvents(dataDir);
  });
  afterAll(async () => {
    await store?.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return async () => openShops(await migrated(), store, (made += 1_000));
}

async function openShops(state: State, store: OpenedEvents, numbersFrom: number): Promise<Shops> {
  for (const id of ['a', 'b']) {
    await state.db
      .insertInto('organization')
      .values({ id, name: id, slug: id, logo: null, metadata: null, createdAt: new Date().toISOString() })
      .execute();
  }
  const projects = await state.transaction(async (trx) => [
    (await insertProject(trx, { organizationId: 'a', name: 'shop', platform: 'javascript-nextjs' })).project,
    (await insertProject(trx, { organizationId: 'b', name: 'shop' })).project,
  ]);
  await state.db.deleteFrom('project_key').execute();
  const renumbered = async (project: Project): Promise<Project> => {
    const id = project.id + numbersFrom;
    await state.db.updateTable('project').set({ id }).where('id', '=', project.id).execute();
    return { ...project, id };
  };
  const [shop, other] = (await Promise.all(projects.map(renumbered))) as [Project, Project];

  let counter = numbersFrom;
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
  const ask = (text: string, options: { readonly projects?: readonly Project[] } = {}): Promise<Answer> =>
    find(
      { state, events: store.events },
      { text, projects: [shop], ownHosts: ['culprit.test'], nowMs: now, ...options },
    );
  const cause = async (text: string): Promise<Extract<Answer, { kind: 'cause' }>> => {
    const answer = await ask(text);
    if (answer.kind !== 'cause') throw new Error(`${text} leads to ${answer.kind}`);
    return answer;
  };
  return { state, store, shop, other, server, browser, put, putSpans, ask, cause };
}
