/** The changes of whole searches that this tab has started and not yet dismissed; they outlive a reload of the page. */
import { useSyncExternalStore } from 'react';

export interface StartedBulk {
  readonly id: string;
  /** The sentence of what is done, with a place for the name of the issues. */
  readonly what: string;
}

const place = '{name}';

/** What an action says of issues whose number is not known yet. */
export const unnamed = (done: (name: string) => string): string => done(place);

export const named = (what: string, name: string): string => what.replace(place, name);

const key = 'culprit:bulk';
const most = 5;
const listeners = new Set<() => void>();
let started: readonly StartedBulk[] = read();

function read(): readonly StartedBulk[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return (Array.isArray(stored) ? stored : []).filter(
      (each: unknown): each is StartedBulk =>
        typeof each === 'object' &&
        each !== null &&
        'id' in each &&
        typeof each.id === 'string' &&
        'what' in each &&
        typeof each.what === 'string',
    );
  } catch {
    return [];
  }
}

function set(next: readonly StartedBulk[]): void {
  started = next;
  try {
    sessionStorage.setItem(key, JSON.stringify(next));
  } catch {
    // Without storage it is kept as long as the page is.
  }
  for (const listener of listeners) listener();
}

export const rememberBulk = (bulk: StartedBulk): void => set([...started, bulk].slice(-most));
export const dismissBulk = (id: string): void => set(started.filter((each) => each.id !== id));

export const useStartedBulks = (): readonly StartedBulk[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => started,
  );
