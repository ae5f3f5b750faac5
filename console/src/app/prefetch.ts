/**
 * Runs at most `width` tasks at once; the others wait their turn, the newest first, since the pointer has left the older
 * ones. More than `most` waiting: the oldest is dropped, and its promise settles with undefined.
 */
export function createPrefetchQueue(width: number, most = 20): <T>(task: () => Promise<T>) => Promise<T | undefined> {
  let running = 0;
  const waiting: { start: () => void; drop: () => void }[] = [];

  const next = (): void => {
    if (running < width) waiting.pop()?.start();
  };

  return (task) =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        running += 1;
        task()
          .then(resolve, reject)
          .finally(() => {
            running -= 1;
            next();
          });
      };
      waiting.push({ start, drop: () => resolve(undefined) });
      if (waiting.length > most) waiting.shift()?.drop();
      next();
    });
}
