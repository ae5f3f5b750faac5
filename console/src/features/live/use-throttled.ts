import { useEffect, useRef } from 'react';

/** Runs at most once in `everyMs`: at once when it was quiet, else once more at the end, so that the last call counts. */
export function useThrottled(run: () => void, everyMs: number): () => void {
  const latest = useRef(run);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const again = useRef(false);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) {
      again.current = true;
      return;
    }
    const rest = (): void => {
      timer.current = undefined;
      if (!again.current) return;
      again.current = false;
      latest.current();
      timer.current = setTimeout(rest, everyMs);
    };
    latest.current();
    timer.current = setTimeout(rest, everyMs);
  };
}
