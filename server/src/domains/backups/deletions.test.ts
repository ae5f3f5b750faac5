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
  (credential) => {
    const dir = join(root, credential?.kind ?? 'open');
    const repository = openOrMakeRepository({ dir, credential });
    expect(readDeletions(repository)).toEqual({ deletions: [], reachesTo: undefined });
    addDeletions(repository, [one], 10_000);
    appendFileSync(join(dir, 'deletions', 'list'), '{"kind":"iss');
    expect(readDeletions(repository)).toEqual({ deletions: [one], reachesTo: 10_000 });
    addDeletions(repository, [one, two], 20_000);
    addDeletions(repository, [one, two], 30_000);
    expect(readDeletions(repository)).toEqual({ deletions: [one, two], reachesTo: 30_000 });
  },
);
