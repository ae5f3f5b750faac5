import { setTimeout as delay } from 'node:timers/promises';

/** Lets so many bytes through a second; 0: as many as come. It saves nothing up while nobody comes. */
export function createByteRate(bytesPerSecond: number): (bytes: number) => Promise<void> {
  let freeAt = 0;
  return async (bytes) => {
    if (bytesPerSecond === 0) return;
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * 1_000;
    // Short waits are longer than they were asked for.
    if (freeAt - now > 20) await delay(freeAt - now);
  };
}
