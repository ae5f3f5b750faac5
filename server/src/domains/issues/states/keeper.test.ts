/** What moves issues on leaves room for others. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Events } from '../../../ports/events/events.ts';
import { createLive } from '../../../base/live.ts';
import { createFailures } from '../../../base/self/index.ts';
import { openMigratedCopy } from '../../../ports/state/testing/migrated.ts';
import { addTestProject } from '../testing/projects.ts';
import { openLoops } from '../../../base/jobs/testing.ts';
import { createStateKeeper } from './keeper.ts';

test('of many issues that are due at once, others come in between', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-test-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const state = opened.use(await openMigratedCopy(dataDir));
  await state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const { id } = await addTestProject(state, 'web');
  const due = {
    project_id: id,
    status: 'unresolved',
    substatus: 'new',
    level: 'error',
    title: 'Error',
    culprit: '',
    platform: '',
    type: 'error',
    metadata: '{}',
    first_seen: 1,
    last_seen: 1,
    first_release: null,
    last_release: null,
    status_changed_at: null,
    moves_at: 1,
    created_at: 1,
  } as const;
  for (let number = 1; number <= 1_600; number += 400) {
    const rows = Array.from({ length: 400 }, (_, index) => ({ ...due, number: number + index }));
    await state.db.insertInto('issue').values(rows).execute();
  }
  const live = createLive();
  let turn = 0;
  const count = (): void => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const published = new Map<number, number>();
  live.subscribe((message) => {
    if (message.type === 'issues') published.set(turn, (published.get(turn) ?? 0) + message.issueIds.length);
  });
  const failures = createFailures({ logger: { error: (_, message) => expect.fail(message) } });
  opened.use(openLoops([createStateKeeper({ state, events: {} as Events, live })], { failures }));
  opened.defer(() => clearImmediate(next));
  await expect.poll(() => [...published.values()].reduce((sum, n) => sum + n, 0)).toBe(1_600);
  expect([...published.values()]).toEqual([500, 500, 500, 100]);
});
