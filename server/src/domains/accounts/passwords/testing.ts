/** For tests of what is done with passwords. That hashing them is dear is for `hash.test.ts` and for whole programs. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, vi } from 'vitest';
import { threads } from './hash.ts';

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
