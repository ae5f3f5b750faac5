/** For tests of what is done with passwords. That hashing them is dear is for `hash.test.ts` and for whole programs. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, vi } from 'vitest';
import { threads } from './hash.ts';
import { createHashThreads } from './threads.ts';

/** In the suite that calls it, hashes are computed at once, in this thread. */
export function hashesCheaply(): void {
  beforeAll(() => {
    vi.spyOn(threads, 'run').mockImplementation(async ({ password, salt }) =>
      createHash('sha512').update(salt).update(password.normalize('NFKC')).digest('hex'),
    );
  });
  afterAll(() => {
    vi.mocked(threads.run).mockRestore();
  });
}

/** In the suite that calls it, a hash costs what it does in life; elsewhere tests have `server/test/cheap-hashes.js`. */
export function hashesAsInLife(): void {
  const name = 'CULPRIT_TEST_HASHES';
  const before = process.env[name];
  beforeAll(() => {
    process.env[name] = 'real';
    // Threads that are there already have been told otherwise.
    vi.spyOn(threads, 'run').mockImplementation(createHashThreads().run);
  });
  afterAll(() => {
    vi.mocked(threads.run).mockRestore();
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}
