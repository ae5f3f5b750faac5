/**
 * Loaded before the program (`node --import`) in each of its threads: `Date` is ahead by the milliseconds that stand in
 * the file of CULPRIT_TEST_CLOCK. The product knows nothing of it. Timers, and the engine's own time, stay as they are.
 */
import { readFileSync } from 'node:fs';

const file = process.env['CULPRIT_TEST_CLOCK'];
/** Real ms after which the file is looked at again; `moveClock` waits for longer. */
const freshMs = 10;

if (file !== undefined) {
  const RealDate = Date;
  const real = RealDate.now.bind(RealDate);
  let offset = 0;
  let readAt = -Infinity;
  const now = (): number => {
    const at = performance.now();
    if (at - readAt > freshMs) {
      readAt = at;
      offset = Number(readFileSync(file, 'utf8')) || 0;
    }
    return real() + offset;
  };
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length ? given : [now()], made) as Date,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
}
