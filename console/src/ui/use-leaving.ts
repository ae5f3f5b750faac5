import { useEffect, useRef } from 'react';

/** A signal for each question, which is given up when the next one is asked and when its page is left. */
export function useLeaving(): () => AbortSignal {
  const asked = useRef<AbortController>(undefined);
  useEffect(() => () => asked.current?.abort(), []);
  return () => {
    asked.current?.abort();
    asked.current = new AbortController();
    return asked.current.signal;
  };
}
