import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addDeletions, type Deletion, readDeletions } from './deletions.ts';
import { openOrMakeRepository } from './repository/repository.ts';

const root = mkdtempSync(join(tmpdir(), 'culprit-deletions-'));
afterAll(() => rmSync(root, { recursive: true }));

const one: Deletion = { kind: 'project', id: 7, madeAt: 1_000, deletedAt: 2_000 };
const two: Deletion = { kind: 'issue', id: 7, madeAt: 1_000, deletedAt: 3_000 };

test.each([undefined, { kind: 'key', text: 'a key of thirty-two letters or more' } as const])(
  'each stands in the list once, also after a line that was cut short',
  async (credential) => {
    const dir = join(root, credential?.kind ?? 'open');
    const repository = await openOrMakeRepository({ dir, credential });
    expect(await readDeletions(repository)).toEqual({ deletions: [], reachesTo: undefined });
    await addDeletions(repository, [one], 10_000);
    appendFileSync(join(dir, 'deletions', 'list'), '{"kind":"iss');
    expect(await readDeletions(repository)).toEqual({ deletions: [one], reachesTo: 10_000 });
    await addDeletions(repository, [one, two], 20_000);
    await addDeletions(repository, [one, two], 30_000);
    expect(await readDeletions(repository)).toEqual({ deletions: [one, two], reachesTo: 30_000 });
  },
);
