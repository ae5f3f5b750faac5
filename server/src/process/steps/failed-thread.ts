/** The thread in which an event happened. */
import type { Event, Thread } from './event.ts';

/** The one that exceptions name, else the one that crashed, else the one that reported. */
export function failedThread({ exception, threads }: Pick<Event, 'exception' | 'threads'>): Thread | undefined {
  const all = threads?.values;
  if (!all) return undefined;
  const named = new Set(exception?.values.flatMap(({ thread_id: id }) => (id === undefined ? [] : [String(id)])));
  return (
    all.find(({ id }) => id !== undefined && named.has(String(id))) ??
    all.find(({ crashed }) => crashed) ??
    all.find(({ current }) => current)
  );
}
