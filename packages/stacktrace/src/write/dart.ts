/** An exception as Dart prints it. Its SDK sends the exception's whole text as the value. */
import type { StackException, StackFrame } from '../types.ts';
import { newestFirst, ordered, type Writer } from './report.ts';
import { message, name, pathOf, placeOf } from './words.ts';

const gap = '<asynchronous suspension>';

export const dart: Writer = {
  report: ({ exceptions, unhandled }, order) => [
    ...(unhandled ? ['Unhandled exception:'] : []),
    ...exceptions.flatMap((exception) => [...titled(exception), ...ordered(numbered(newestFirst(exception)), order)]),
  ],
  frame: (frame) => call(frame),
};

const titled = ({ type, value }: StackException): readonly string[] =>
  value ? message(value).split('\n') : [name(type)];

/** Suspensions between calls are not counted. */
function numbered(frames: readonly StackFrame[]): readonly string[] {
  let count = 0;
  return frames.map((frame) => (pathOf(frame) === gap ? gap : `${`#${count++}`.padEnd(8)}${call(frame)}`));
}

const call = (frame: StackFrame): string =>
  `${name([frame.module, frame.function || '<fn>'].filter(Boolean).join('.'))} (${placeOf(frame)})`;
