/** Threads of an event as its list shows them. */
import type { Schemas } from '../../api/client.ts';

export type Thread = Schemas['Thread'];
type Lock = Schemas['Lock'];

/** What a thread does with a monitor. */
export interface Locking {
  readonly kind: 'holds' | 'waits' | 'sleeps';
  /** `java.lang.Object <0x0d3a2f0a>` */
  readonly what: string;
  /** Name of the thread that holds it. */
  readonly holder: string | undefined;
}

export const threadName = ({ name, id }: Thread): string => name ?? (id === null ? '' : String(id));

/** Sentry's numbers; that it is blocked is waiting to a reader. */
const kinds: Readonly<Record<number, Locking['kind']>> = { 1: 'holds', 2: 'waits', 4: 'sleeps', 8: 'waits' };

/** Each monitor once, with what is said of it first: by the thread, then by its frames from the newest call. */
export function lockingOf(thread: Thread, threads: readonly Thread[]): Locking[] {
  const locks = [
    ...Object.entries(thread.heldLocks ?? {}).map(([address, lock]) => ({ ...lock, address: lock.address ?? address })),
    ...(thread.stacktrace?.frames.toReversed() ?? []).flatMap(({ lock }) => lock ?? []),
  ];
  const known = new Map<string, Locking>();
  for (const lock of locks) {
    const kind = kinds[lock.type ?? 1];
    const what = nameOf(lock);
    if (!kind || known.has(what)) continue;
    const holder = threads.find(({ id }) => id !== null && String(id) === String(lock.thread_id));
    known.set(what, { kind, what, holder: holder && holder !== thread ? threadName(holder) : undefined });
  }
  return [...known.values()];
}

const nameOf = ({ package_name: scope, class_name: name, address }: Lock): string =>
  [[scope, name].filter(Boolean).join('.'), address && `<${address}>`].filter(Boolean).join(' ');

/** Threads that have all typed words in their name, state, monitors or calls. */
export function matching(threads: readonly Thread[], typed: string): readonly Thread[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return threads;
  return threads.filter((thread) => {
    const calls = thread.stacktrace?.frames.map(({ module, function: name }) => `${module}.${name}`) ?? [];
    const locks = lockingOf(thread, threads).map(({ what }) => what);
    const text = [threadName(thread), thread.state, ...locks, ...calls].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
