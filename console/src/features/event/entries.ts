import * as m from '../../messages/threads.ts';
import type { Entry, Event, ExceptionValue, Stacktrace } from './types.ts';

export type EntryData<T extends Entry['type']> = Extract<Entry, { type: T }>['data'];

export function entryOf<T extends Entry['type']>(event: Pick<Event, 'entries'>, type: T): EntryData<T> | undefined {
  return event.entries.find((entry) => entry.type === type)?.data as EntryData<T> | undefined;
}

/** An error as it is shown. */
export interface ShownException {
  /** Absent for a stack trace that came without an exception (a message, a thread). */
  readonly exception: ExceptionValue | undefined;
  readonly stacktrace: Stacktrace | undefined;
  readonly title: string;
}

/**
 * The errors of an event, the outermost first; `chain.ts` says how they hang together. Without one: the bare stack trace, or
 * that of the crashed, the current or the only thread, which an error without any stack has too.
 */
export function shownExceptions(event: Pick<Event, 'entries'> & Partial<Pick<Event, 'platform'>>): ShownException[] {
  const values = entryOf(event, 'exception')?.values.toReversed() ?? [];
  const threads = entryOf(event, 'threads')?.values.filter((each) => each.stacktrace) ?? [];
  const thread =
    threads.find((each) => each.crashed) ??
    threads.find((each) => each.current) ??
    (threads[1] ? undefined : threads[0]);
  if (values.length > 0) {
    const bare = values.every((each) => !each.stacktrace) ? thread?.stacktrace : undefined;
    return values.map((exception, index) => ({
      exception,
      stacktrace: exception.stacktrace ?? (index ? undefined : bare) ?? undefined,
      title: nameOf(exception, event.platform),
    }));
  }
  const stacktrace = entryOf(event, 'stacktrace');
  const title = stacktrace ? m.stackTrace : m.thread({ name: thread?.name ?? String(thread?.id ?? '') }).trim();
  const bare = stacktrace ?? thread?.stacktrace;
  return bare ? [{ exception: undefined, stacktrace: bare, title }] : [];
}

/** `java.lang.NumberFormatException`; in other languages the type says it all, or the module is something else. */
function nameOf({ type, module }: ExceptionValue, platform: string | null | undefined): string {
  const name = type ?? 'Error';
  const isWithin = module && (platform === 'java' || platform === 'python') && !name.startsWith(module);
  return isWithin ? `${module}.${name}` : name;
}

/** Whether the error was caught; undefined when that is unknown. */
export function isHandled(exception: ExceptionValue | undefined): boolean | undefined {
  const handled = exception?.mechanism?.['handled'];
  return typeof handled === 'boolean' ? handled : undefined;
}
