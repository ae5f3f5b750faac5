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
});
