import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { trimAllocator } from './trim-allocator.ts';

type Collect = (options: { readonly type: 'major'; readonly flavor: 'regular' | 'last-resort' }) => void;

/** So long after a collection another thread has freed the buffers that it found, ms. */
const freedMs = 1_000;

/** By then what was begun at the start has settled, ms. */
const settledMs = 8_000;

/**
 * Gives back, once, what starting has left in the calling thread. Loading modules and making schemas fills the young
 * generation of the heap, which would stay at its largest for as long as little happens. The thread stands still for
 * a few tenths of a second. Servers of tests end soon, and would take a fifth of their processor time for it.
 */
export function releaseAfterStart(): void {
  if (process.env.NODE_ENV === 'test') return;
  setTimeout(releaseAll, settledMs).unref();
}

/** So long without work a burst is over, ms. */
const burstOverMs = 10_000;
/** Less work than this leaves little. */
const burstBytes = 4 * 1024 * 1024;

/**
 * The same once a burst is over, for heaps do not shrink by themselves while little happens. To be called after each
 * piece of work, with its size; `also` gives back what is not the heap's.
 */
export function createBurstRelease(also?: () => void): (bytes: number) => void {
  let timer: NodeJS.Timeout | undefined;
  let worked = 0;
  const release = (): void => {
    timer = undefined;
    worked = 0;
    releaseAll();
    also?.();
  };
  return (bytes) => {
    worked += bytes;
    if (worked < burstBytes || process.env.NODE_ENV === 'test') return;
    timer ??= setTimeout(release, burstOverMs).unref();
    timer.refresh();
  };
}

/** So often, while there is work, ms. */
const trimEveryMs = 30_000;

/**
 * What a burst that does not end leaves amid used memory, given back now and then; to be called after each piece of work.
 * It takes 2 ms, and 30 where there is much to give back. For one thread of the process that nobody waits for.
 */
export function createSteadyTrim(): () => void {
  let trimmedAt = Date.now();
  return () => {
    const now = Date.now();
    if (now - trimmedAt < trimEveryMs || process.env.NODE_ENV === 'test') return;
    trimmedAt = now;
    trimAllocator();
  };
}

/** Gives back large buffers that nothing holds any more, before others are made: the heap sees little of their size. */
export function releaseBuffers(): void {
  collector()?.({ type: 'major', flavor: 'regular' });
}

function releaseAll(): void {
  collector()?.({ type: 'major', flavor: 'last-resort' });
  setTimeout(trimAllocator, freedMs).unref();
}

function collector(): Collect | undefined {
  setFlagsFromString('--expose-gc');
  // Flags are of the process: another thread may have taken this one back just now.
  const collect = runInNewContext('globalThis.gc') as Collect | undefined;
  // Compiled code that is kept on disk is kept for these flags, and has to be found again.
  setFlagsFromString('--no-expose-gc');
  return collect;
}
