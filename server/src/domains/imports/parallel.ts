/** Runs at most so many at a time, and gives the results in the order of what they are of. The first that fails ends the rest. */
export async function inParallel<T, R>(all: readonly T[], atOnce: number, run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.entries();
  let failed = false;
  const next = async (): Promise<void> => {
    for (const [index, one] of waiting) {
      if (failed) return;
      try {
        results[index] = await run(one);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, next));
  return results;
}
