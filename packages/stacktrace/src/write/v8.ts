/** A stack as V8 prints it, and for languages whose own form is not known. */
import type { StackException, StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { newestFirst, ordered, type Writer } from './report.ts';
import { headline, name, positionOf } from './words.ts';

export const v8: Writer = {
  report: ({ exceptions }, order) =>
    exceptions.flatMap((exception, index) => (index === 0 ? one(exception, order) : ['', ...cause(exception, order)])),
  frame: (frame) => `at ${call(frame)}`,
};

function one(exception: StackException, order: StackOrder): readonly string[] {
  const calls = newestFirst(exception).map((frame) => `    at ${call(frame)}`);
  const head = headline(name(exception.type), exception);
  return [...(head ? [head] : []), ...ordered(calls, order)];
}

function cause(exception: StackException, order: StackOrder): readonly string[] {
  const [first = '', ...rest] = one(exception, order);
  return [`${exception.relation === 'member' ? 'Contains' : 'Caused by'}: ${first}`, ...rest];
}

function call(frame: StackFrame): string {
  const called = frame.function && frame.function !== '?' ? name(frame.function) : '<anonymous>';
  const file = name(frame.absPath ?? frame.filename ?? frame.module ?? '<unknown>');
  return `${called} (${[file, ...positionOf(frame)].join(':')})`;
}
