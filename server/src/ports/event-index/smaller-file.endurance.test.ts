/** A million events are copied to a smaller file while others are stored: how long those wait. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEventIndex } from './lmdb.ts';
import { entriesOf, hex, indexed } from './testing/indexed.ts';
import { weekMs } from './weeks.ts';

/** Events that stay, and those that are dropped before. */
const events = { old: 1_600_000, held: 1_000_000 };
const batch = 4_000;

test('batches are stored while it is copied', { timeout: 600_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-index-'));
  try {
    await using index = await openEventIndex({ dir, shrinkFromBytes: 2 ** 20 });
    for (const [kind, weeks] of [['old', 20] as const, ['held', 5] as const]) {
      const at = Date.now() - weeks * weekMs;
      for (let from = 0; from < events[kind]; from += batch) {
        const one = (_: unknown, number: number) =>
          indexed(`${kind} ${from + number}`, { at: at + from + number, hash: hex(`${(from + number) % 500}`) });
        await index.add(entriesOf(Array.from({ length: batch }, one)));
      }
    }
    await index.filling.noteComplete();
    await index.dropBefore(Date.now() - 10 * weekMs);
    const begunAt = performance.now();
    const shrinking = index.shrink().then((spare) => ({ spare, tookMs: performance.now() - begunAt }));
    const isOver = shrinking.then(() => true);
    let [longestMs, added] = [0, 0];
    while (!(await Promise.race([isOver, Promise.resolve(false)]))) {
      const addedAt = performance.now();
      await index.add(entriesOf([indexed(`meanwhile ${added++}`)]));
      longestMs = Math.max(longestMs, performance.now() - addedAt);
    }
    const { spare, tookMs } = await shrinking;
    expect(spare).toBeGreaterThan(50e6);
    console.log(
      `${(spare / 1e6).toFixed(0)} MB in ${tookMs.toFixed(0)} ms; ${added} batches, the longest waited ${longestMs.toFixed(0)} ms`,
    );
    // Were they to wait for the copy, the first would be the last. How long one takes depends on what else the machine does.
    expect(added).toBeGreaterThan(2);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
