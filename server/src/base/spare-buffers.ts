import { forgetAfterPause } from './forget-after-pause.ts';

/** Large buffers that somebody has done with, for whoever needs one next: V8 collects its whole heap for each new buffer of so many megabytes. */
const spares: Buffer[] = [];
const maxSpares = 3;
export const worthKeepingBytes = 1024 * 1024;
const used = forgetAfterPause(() => (spares.length = 0));

/** At least so long, with anything in it; outside Node's shared pool. */
export function takeBuffer(bytes: number): Buffer {
  const index = spares.findIndex((spare) => spare.length >= bytes);
  const [spare] = index < 0 ? [] : spares.splice(index, 1);
  return spare ?? Buffer.allocUnsafeSlow(bytes);
}

/** Nothing may use it any more. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length < worthKeepingBytes) return;
  spares.push(buffer);
  // The largest serve whatever comes.
  if (spares.length > maxSpares) spares.sort((a, b) => b.length - a.length).pop();
  used();
}
