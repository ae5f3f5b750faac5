/** Two nodes on one PostgreSQL, killed at random: work is nobody's twice at a time, and comes to its end once. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endurance as isLong } from '../base/testing.ts';
import { openTestStores } from '../domains/issues/testing/stores.ts';
import { openMailReceiver } from '../domains/notify/testing/receiver.ts';
import * as late from '../domains/resymbolicate/testing/late-maps.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { openState } from '../ports/state/open.ts';
import { startPostgres } from '../ports/state/testing/postgres-server.ts';
import type { State } from '../ports/state/state.ts';
import { auditClaims, type NodesSetup, startNodes, takeoversOf } from './testing/nodes.ts';
import { createExports } from './testing/works/exports.ts';
import { createFeedback } from './testing/works/feedback.ts';
import { createChanges, createMoves, createSignatures } from './testing/works/issue-changes.ts';
import { createMail, mondayBefore } from './testing/works/mail.ts';
import { createOwned } from './testing/works/owned.ts';
import { createSourceMaps } from './testing/works/source-maps.ts';
import { createSuspects } from './testing/works/suspects.ts';
import { createWatches } from './testing/works/watches.ts';
import { addPeople, type Aftermath, type Ground, type Work } from './testing/works/work.ts';

const kills = isLong ? 40 : 2;
const leaseMs = 900;
const organizationId = 'acme';

/** In the order in which they are begun. What others make is left for the last. */
const names = [
  'exports',
  'source-maps and symbolication',
  'issue-changes',
  'issue-states',
  'performance-problems',
  'digest-watches',
  'ownership',
  'feedback-backfill and feedback-links',
  'similar-issues',
  'follower-mail, weekly-reports, token-reminders and deliveries',
] as const;

const opened = new AsyncDisposableStack();
let state: State;
let works: Readonly<Record<(typeof names)[number], Work>>;
let setup: NodesSetup;
let told: readonly number[] = [];

beforeAll(async () => {
  const [stores, postgres, receiver] = await Promise.all([openTestStores(), startPostgres(), openMailReceiver()]);
  for (const one of [stores, postgres, receiver]) opened.use(one);
  const blobs = openBlobs({ url: '', dataDir: stores.dataDir });
  const place = { url: await postgres.createDatabase(), dataDir: '' };
  state = opened.use(await openState(place));
  await state.migrate();
  const monday = mondayBefore(Date.now());
  const projectId = await late.addProject(state, organizationId);
  await addPeople(state, organizationId);
  const tables = { data_export: 'id', symbolication_job: 'id', bulk_job: 'id', artifact_bundle: 'id', job: 'name' };
  await auditClaims(state, { ...tables, performance_suspect: 'segment_id' });
  const ground: Ground = { stores: { ...stores, state }, state, blobs, organizationId, projectId, isLong };
  works = {
    exports: createExports(ground),
    'source-maps and symbolication': createSourceMaps(ground),
    'issue-changes': createChanges(ground),
    'issue-states': createMoves(ground),
    'performance-problems': createSuspects(ground),
    'digest-watches': createWatches(ground),
    ownership: createOwned(ground),
    'feedback-backfill and feedback-links': createFeedback(ground),
    'similar-issues': createSignatures(ground),
    'follower-mail, weekly-reports, token-reminders and deliveries': createMail(ground, { receiver, monday }),
  };
  const places = { state: place, events: stores.address, dataDir: stores.dataDir, smtpUrl: receiver.url };
  setup = { ...places, leaseMs, monday };
}, 120_000);
afterAll(() => opened.disposeAsync());

const counted = async (): Promise<number> => {
  const row = await state.db.selectFrom('setting').select('value').where('name', '=', 'count').executeTakeFirst();
  return Number(row?.value ?? 0);
};

async function leftOfAll(): Promise<Readonly<Record<string, number>>> {
  const left: Record<string, number> = {};
  for (const name of names) {
    const count = await works[name].left();
    if (count !== 0) left[name] = count;
  }
  return left;
}

test(
  `killed ${kills} times, two nodes come to the end of everything`,
  async () => {
    for (const name of names) await works[name].begin();
    await using nodes = await startNodes(setup);
    for (let kill = 0; kill < kills; kill += 1) {
      for (const name of names) await works[name].more?.();
      await delay(100 + Math.random() * 700);
      await nodes.killOne(Math.random);
    }
    await expect.poll(leftOfAll, { timeout: isLong ? 480_000 : 240_000, interval: 1_000 }).toEqual({});
    // The counter has gone on, whoever had it.
    const before = await counted();
    await expect.poll(counted).toBeGreaterThan(before);
    // What is done twice would be done by now.
    await delay(1_500);
    expect(await leftOfAll()).toEqual({});
    told = nodes.lines.flatMap((line) => (line.startsWith('told ') ? [Number(line.slice(5))] : []));
  },
  isLong ? 900_000 : 400_000,
);

test('work whose node is alive is nobody else’s', async () => {
  for (const one of await takeoversOf(state)) {
    expect(one.until - leaseMs, JSON.stringify(one)).toBeGreaterThanOrEqual(one.endedAt);
  }
});

describe('is done once, or so that it cannot be told from that', () => {
  test.each(names)('%s', async (name) => {
    const aftermath: Aftermath = { kills, told };
    await works[name].check(aftermath);
  });
});
