/** The file of a host: all entries in order, again after a crash, wherever others have moved what was written. */
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testSecrets } from '../../../base/secrets/testing.ts';
import { onSqlite } from '../../../ports/state/testing/databases.ts';
import { createAudit, createAuditFile, sealOf, verifyLines } from '../index.ts';

onSqlite('the file of the audit log', (databases) => {
  test('has every entry once and in order; what was not noted as written comes again', async () => {
    const state = await databases.migrated();
    const dir = await mkdtemp(join(tmpdir(), 'culprit-audit-'));
    const path = join(dir, 'audit.jsonl');
    const audit = createAudit(state, sealOf(testSecrets));
    const write = async (count: number): Promise<void> => {
      for (const organizationId of ['acme', 'other']) {
        for (let n = 0; n < count; n += 1) {
          const deed = { organizationId, actor: { type: 'host' }, source: {}, action: 'team.create' } as const;
          await audit.recorded(deed, async (_inside, note) => note({ id: n, name: 'a team' }));
        }
      }
    };
    const { job } = createAuditFile(state, path);
    const run = () => job.run({ node: 'one', leaseMs: 1_000, isFresh: false, signal: new AbortController().signal });
    const verified = async (...paths: string[]) => {
      const texts = await Promise.all(paths.map((each) => readFile(each, 'utf8')));
      const found = await verifyLines(texts.join('').split('\n'));
      return found;
    };
    await write(3);
    await run();
    await run();
    const whole = (last: number) =>
      ['acme', 'other'].map((organizationId) =>
        expect.objectContaining({ organizationId, first: 1, last, entries: last, breaks: [] }),
      );
    expect(await verified(path)).toEqual(whole(3));
    await rename(path, `${path}.1`);
    await write(1);
    await run();
    expect(await verified(`${path}.1`, path)).toEqual(whole(4));
    // Written, and killed before that was noted.
    await state.db.updateTable('audit_stream').set({ sent_seq: 3 }).execute();
    await run();
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(lines.filter((line) => line.includes('"seq":4'))).toHaveLength(4);
    expect((await verified(`${path}.1`, path)).flatMap(({ breaks }) => breaks)).toEqual([]);
    await rm(dir, { recursive: true });
  });
});
