/** The engine outlives a server that was killed for a moment, and writes until it ends. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ignoreMissing } from '../../base/files.ts';

/** As long as the engine takes to see that it was left, and then to end. */
const longestMs = 5_000;
const stepMs = 50;

/** Resolves when nobody holds the engine's directory; where the system does not tell, after the longest that it takes. */
export async function engineGone(dataDir: string): Promise<void> {
  const status = await stat(join(dataDir, 'events', 'status')).catch(ignoreMissing);
  if (!status) return;
  const until = Date.now() + longestMs;
  while (Date.now() < until) {
    const locks = await readFile('/proc/locks', 'utf8').catch(() => undefined);
    if (locks !== undefined && !locks.split('\n').some((line) => line.split(/[ :]+/).includes(String(status.ino))))
      return;
    await delay(stepMs);
  }
}
