import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textBox } from '../../base/secrets/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { openMigratedState } from '../../ports/state/open.ts';
import type { State } from '../../ports/state/state.ts';
import { readHealth, tellOwners } from './health.ts';
import { askForBackup, endRun, findRun, takeRun, takeUpAgain } from './runs.ts';

const box = textBox(testSecrets.box('stored secret'));
const expression = '30 3 * * *';
let dataDir: string;
let state: State;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-backups-'));
  ({ state } = await openMigratedState({ url: '', dataDir }));
});
afterAll(async () => {
  await state.close();
  await rm(dataDir, { recursive: true });
});

const asked = { dir: '/backups', askedBy: 'schedule', options: { rate: 0 }, credential: undefined } as const;
const since = Date.now();

test('one that the schedule asked for and that failed is told, one of another node is not', async () => {
  const facts = { node: 'a', expression, since };
  expect(await readHealth(state, facts)).toMatchObject({ last: null, isRunning: false, trouble: '' });
  const id = await askForBackup(state, { ...asked, node: 'a' }, box);
  await takeRun(state, 'a', box);
  expect(await readHealth(state, facts)).toMatchObject({ isRunning: true, nextAt: null });
  await endRun(state, id, 'The disk is full.');
  const { trouble, nextAt } = await readHealth(state, facts);
  expect(trouble).toBe('The last scheduled backup failed: The disk is full.');
  // It is tried again before the next of the schedule, or with it.
  expect(nextAt).toBeLessThanOrEqual(Date.now() + 31 * 60_000);
  expect((await readHealth(state, { ...facts, node: 'b' })).trouble).toBe('');
  expect((await readHealth(state, { ...facts, node: 'b', since: since - 3 * 86_400_000 })).trouble).toMatch(/overdue/);
});

test('owners are told once of one matter', async () => {
  const now = new Date().toISOString();
  const user = { name: 'Ada', email: 'ada@example.com', emailVerified: 1, image: null, createdAt: now, updatedAt: now };
  await state.db
    .insertInto('user')
    .values({ id: 'u', ...user })
    .execute();
  for (const id of ['o', 'p']) {
    await state.db.insertInto('organization').values({ id, name: id, slug: id, createdAt: now }).execute();
    await state.db
      .insertInto('member')
      .values({ id, organizationId: id, userId: 'u', role: 'owner', createdAt: now })
      .execute();
  }
  for (const key of ['1', '1', '2']) await tellOwners(state, 'It failed.', { key, url: 'http://culprit.test' });
  const rows = await state.db.selectFrom('delivery').select(['kind', 'user_id']).execute();
  expect(rows).toEqual([
    { kind: 'backup', user_id: 'u' },
    { kind: 'backup', user_id: 'u' },
  ]);
});

test('what a command gives is sealed until it is over, and a run that was killed is taken up again', async () => {
  const credential = { kind: 'passphrase', text: 'four words and more' } as const;
  const id = await askForBackup(state, { ...asked, node: 'c', askedBy: 'command', credential }, box);
  const stored = () => state.db.selectFrom('backup_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect((await stored()).credential).not.toContain('words');
  for (let attempt = 1; attempt <= 3; attempt++) {
    expect(await takeRun(state, 'c', box)).toMatchObject({ run: { id }, credential });
    await takeUpAgain(state, 'c');
  }
  expect(await findRun(state, id)).toMatchObject({ state: 'failed' });
  expect((await stored()).credential).toBe('');
  expect(await takeRun(state, 'c', box)).toBeUndefined();
});

test('what another key has sealed fails, and is never taken unencrypted', async () => {
  const other = textBox({ ...testSecrets.box('log record') });
  const credential = { kind: 'key', text: 'a key of thirty-two letters or more' } as const;
  const id = await askForBackup(state, { ...asked, node: 'd', credential }, other);
  expect(await takeRun(state, 'd', box)).toBeUndefined();
  expect(await findRun(state, id)).toMatchObject({ state: 'failed' });
});
