import * as m from '../../messages/threads.ts';
import type { Entry, Event, ExceptionValue, Stacktrace } from './types.ts';

type EntryData<T extends Entry['type']> = Extract<Entry, { type: T }>['data'];

export function entryOf<T extends Entry['type']>(event: Pick<Event, 'entries'>, type: T): EntryData<T> | undefined {
  return event.entries.find((entry) => entry.type === type)?.data as EntryData<T> | undefined;
}

/** One link of the chain as it is shown: the outermost error first, each next one its cause. */
export interface ShownException {
  /** Absent for a stack trace that came without an exception (a message, a thread). */
  readonly exception: ExceptionValue | undefined;
  readonly stacktrace: Stacktrace | undefined;
  readonly title: string;
  /** How it hangs together with the one above. */
  readonly relation: 'first' | 'cause' | 'member';
}

/** The errors of an event in reading order. Without one: the bare stack trace, or that of the crashed or current thread. */
export function shownExceptions(event: Pick<Event, 'entries'>): ShownException[] {
  const values = entryOf(event, 'exception')?.values ?? [];
  if (values.length > 0) {
    return values.toReversed().map((exception, index) => ({
      exception,
      stacktrace: exception.stacktrace ?? undefined,
      title: exception.type ?? 'Error',
      relation: index === 0 ? 'first' : isGroupMember(exception) ? 'member' : 'cause',
    }));
  }
  const stacktrace = entryOf(event, 'stacktrace');
  if (stacktrace) return [{ exception: undefined, stacktrace, title: m.stackTrace, relation: 'first' }];
  const threads = entryOf(event, 'threads')?.values ?? [];
  const thread =
    threads.find((each) => each.crashed && each.stacktrace) ?? threads.find((each) => each.current && each.stacktrace);
  if (!thread?.stacktrace) return [];
  return [
    {
      exception: undefined,
      stacktrace: thread.stacktrace,
      title: m.thread({ name: thread.name ?? String(thread.id ?? '') }).trim(),
      relation: 'first',
    },
  ];
}

/** Members of an AggregateError say `errors[0]` as their source; causes say `cause`. */
function isGroupMember(exception: ExceptionValue): boolean {
  const source = exception.mechanism?.['source'];
  return typeof source === 'string' && /^(?:errors|exceptions)\[/.test(source);
}

/** Whether the error was caught; undefined when that is unknown. */
export function isHandled(exception: ExceptionValue | undefined): boolean | undefined {
  const handled = exception?.mechanism?.['handled'];
  return typeof handled === 'boolean' ? handled : undefined;
}
