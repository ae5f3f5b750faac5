import { expect, test } from 'vitest';
import type { Job, JobStatus } from '../base/jobs/index.ts';
import { unclaimed } from '../ports/state/claims.ts';
import { onSqlite } from '../ports/state/testing/databases.ts';
import { readReports } from './reports.ts';

onSqlite('how jobs are doing', ({ migrated }) => {
  test.each(['one', 'each'] as const)('failures of this node, once another has run it: %s', async (nodes) => {
    const state = await migrated();
    const now = Date.now();
    const job: Job = { name: 'sweep', title: 'Sweep', nodes, everyMs: 60_000, failed: '', run: async () => {} };
    await state.db
      .insertInto('job')
      .values({
        ...unclaimed(now),
        name: job.name,
        began_at: now - 20,
        ended_at: now - 10,
        detail: 'out of room, long ago',
        failed_at: now - 5_000,
        waiting: null,
        running: null,
        noted_at: now,
      })
      .execute();
    const status: JobStatus = {
      state: 'waiting',
      beganAt: now - 2_000,
      endedAt: now - 1_000,
      dueAt: now + 60_000,
      attempts: 3,
      failure: 'no route',
      failedAt: now - 1_000,
    };
    const [report] = await readReports(state, [job], () => status);
    expect(report).toMatchObject(
      nodes === 'one'
        ? { attempts: 0, endedAt: now - 10, failure: 'out of room, long ago', failedAt: now - 5_000 }
        : { attempts: 3, endedAt: now - 1_000, failure: 'no route', failedAt: now - 1_000 },
    );
  });

  test('what another node runs for the first time has not failed', async () => {
    const state = await migrated();
    const now = Date.now();
    const job: Job = { name: 'sweep', title: 'Sweep', nodes: 'one', everyMs: 60_000, failed: '', run: async () => {} };
    const row = { ...unclaimed(now), detail: '', waiting: null, running: null, noted_at: now };
    const claimed = { claimed_by: 'another', claimed_until: now + 30_000 };
    const attemptsOf = async (change: object): Promise<number | undefined> => {
      await state.db.deleteFrom('job').execute();
      await state.db
        .insertInto('job')
        .values({ ...row, name: job.name, began_at: null, ended_at: null, failed_at: null, ...change })
        .execute();
      return (await readReports(state, [job], () => undefined))[0]?.attempts;
    };
    expect(await attemptsOf({ attempts: 1, ...claimed })).toBe(0);
    // Its node has died, and nobody has it now.
    expect(await attemptsOf({ attempts: 1, claimed_by: 'another', claimed_until: now - 1 })).toBe(1);
    expect(await attemptsOf({ attempts: 2, ...claimed, ended_at: now - 10, failed_at: now - 10 })).toBe(2);
    expect(await attemptsOf({ attempts: 1, ...claimed, ended_at: now - 10, failed_at: now - 5_000 })).toBe(0);
  });
});
