/** What was told a while ago need not be told again. In memory, of each node for itself, the newest so many. */

const maxKnown = 10_000;

/** Whether it was asked for the same key before, less than `everyMs` ago; if not, it counts from now on. */
export function createOnce(everyMs: number, now: () => number = Date.now): (key: string) => boolean {
  const known = new Map<string, number>();
  return (key) => {
    const at = known.get(key);
    if (at !== undefined && now() - at < everyMs) return true;
    known.delete(key);
    known.set(key, now());
    const oldest = known.keys().next();
    if (known.size > maxKnown && !oldest.done) known.delete(oldest.value);
    return false;
  };
}
