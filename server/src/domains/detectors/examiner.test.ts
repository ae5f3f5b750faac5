/** The thread: it comes when something is due, tells what it found, and goes. */
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { createLive, type LiveMessage } from '../../base/live.ts';
import { openLoops } from '../../base/jobs/testing.ts';
import { createExaminer } from './examiner.ts';
import { nextDue, noteSuspects } from './suspects.ts';

let stores: TestStores;
let loops: AsyncDisposable | undefined;
let projectId = 0;
const messages: LiveMessage[] = [];

beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0).toISOString() })
    .execute();
  const made = await stores.state.db
    .insertInto('project')
    .values({
      organization_id: 'org',
      slug: 'shop',
      name: 'Shop',
      platform: 'node',
      short_id_prefix: 'SHOP',
      settings: '{}',
      created_at: 0,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  projectId = made.id;
});
afterAll(async () => {
  await loops?.[Symbol.asyncDispose]();
  await stores[Symbol.asyncDispose]();
});

async function slowQuery(name: string): Promise<void> {
  const traceId = name.repeat(32);
  const segment = {
    project_id: projectId,
    trace_id: traceId,
    segment_id: name.repeat(16),
    attributes: {},
    numbers: {},
  };
  const query = { op: 'db', name: `SELECT ${name}`, description: `SELECT ${name}`, description_hash: name.repeat(16) };
  await stores.events.insert(
    'spans',
    [
      testSpanRow({ ...segment, span_id: name.repeat(16), name: 'GET /' }),
      testSpanRow({ ...segment, ...query, span_id: '1'.repeat(16), is_segment: 0, duration_us: 700_000 }),
    ],
    `spans ${name}`,
  );
  const suspect = { projectId, traceId, segmentId: name.repeat(16), transaction: 'GET /', at: Date.now() };
  await noteSuspects(stores.state, [suspect], { now: Date.now(), waitMs: 0 });
}

const found = (): number =>
  messages.filter((message) => message.type === 'events' && message.newIssueIds.length > 0).length;

test('examines what was noted before it was opened, and what it is woken for', async () => {
  await slowQuery('a');
  const live = createLive();
  live.subscribe((message) => messages.push(message));
  const logger = pino({ level: 'silent' });
  const examiner = createExaminer({
    state: stores.state,
    stateOptions: { url: '', dataDir: stores.dataDir },
    events: stores.events.address,
    waitMs: 0,
    live,
    logger,
  });
  loops = openLoops([examiner.job]);
  await expect.poll(found).toBe(1);
  await slowQuery('b');
  examiner.wake();
  await expect.poll(found).toBe(2);
  expect(await nextDue(stores.state)).toBeUndefined();
  expect(messages).toMatchObject([{ type: 'events', projectId, count: 1, digests: [] }, { type: 'events' }]);
});
