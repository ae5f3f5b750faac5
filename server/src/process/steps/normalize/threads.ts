/** Threads: the one that failed, and those that were there. */
import type { Thread } from '../event.ts';
import { asCount, asObject, asText, asValues, type JsonObject } from '../json.ts';
import type { StackTaking } from '../known-stacks.ts';
import { countLimits, cutText, type TextLimit, textLimits } from '../limits.ts';
import type { Remarks } from '../remarks.ts';
import { parseStacktrace } from './frames.ts';
import { parseLocks, parseThreadId } from './locks.ts';

export function parseThreads(value: unknown, remarks: Remarks, taking?: StackTaking): Thread[] {
  const threads: Thread[] = [];
  const list = asValues(value);
  if (list.length > countLimits.threads) remarks.changed(['threads', 'values'], '!limit', 'x', list.length);
  for (const entry of list.slice(0, countLimits.threads)) {
    const raw = asObject(entry);
    if (raw) threads.push(parseThread(raw, threads.length, remarks, taking));
  }
  return threads;
}

function parseThread(raw: JsonObject, index: number, remarks: Remarks, taking: StackTaking | undefined): Thread {
  const thread: Thread = { id: parseThreadId(raw.id), name: bounded(raw.name, textLimits.short) };
  const state = bounded(raw.state, textLimits.short);
  if (state !== undefined) thread.state = state;
  if (raw.crashed === true) thread.crashed = true;
  if (raw.current === true) thread.current = true;
  if (raw.main === true) thread.main = true;
  if (raw.daemon === true) thread.daemon = true;
  const priority = asCount(raw.priority);
  if (priority !== undefined) thread.priority = priority;
  const locks = asObject(raw.held_locks);
  if (locks) thread.held_locks = parseLocks(locks);
  const stacktrace = parseStacktrace(raw.stacktrace, remarks, ['threads', 'values', index, 'stacktrace'], taking);
  if (stacktrace) thread.stacktrace = stacktrace;
  return thread;
}

function bounded(value: unknown, limit: TextLimit): string | undefined {
  const text = asText(value);
  return text === undefined ? undefined : cutText(text, limit);
}
