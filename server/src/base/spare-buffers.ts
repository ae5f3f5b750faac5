import { forgetAfterPause } from './forget-after-pause.ts';

/** Large buffers that somebody has done with, for whoever needs one next: V8 collects its whole heap for each new buffer of so many megabytes. */
const spares: Buffer[] = [];
const maxSpares = 3;
export const worthKeepingBytes = 1024 * 1024;
const used = forgetAfterPause(() => (spares.length = 0));

/** Bytes. */
const step = 2 * 1024 * 1024;
/** One that is so many times larger is for others. */
const maxTimes = 4;

/** At least so long, with anything in it; outside Node's shared pool. */
export function takeBuffer(bytes: number): Buffer {
  let best = -1;
  for (const [index, { length }] of spares.entries()) {
    const fits = length >= bytes && length <= bytes * maxTimes;
    if (fits && length < (spares[best]?.length ?? Infinity)) best = index;
  }
  const [spare] = best < 0 ? [] : spares.splice(best, 1);
  // A little more than asked for, so that it serves the next one that asks for as much.
  return spare ?? Buffer.allocUnsafeSlow(bytes < worthKeepingBytes ? bytes : Math.ceil(bytes / step) * step);
}

/** Nothing may use it any more. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length < worthKeepingBytes) return;
  spares.push(buffer);
  // The largest serve whatever comes.
  if (spares.length > maxSpares) spares.sort((a, b) => b.length - a.length).pop();
  used();
}
