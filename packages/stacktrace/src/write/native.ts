/** Calls of compiled programs, as reports of crashes list them: number, image, name, place. */
import type { StackFrame } from '../types.ts';
import { newestFirst, ordered, type Writer } from './report.ts';
import { headline, name, pathOf, positionOf } from './words.ts';

export const native: Writer = {
  report: ({ exceptions }, order) =>
    exceptions.flatMap((exception, index) => [
      ...(index > 0 ? ['', `Caused by: ${headline(name(exception.type), exception)}`] : heading(exception)),
      ...ordered(
        newestFirst(exception).map((frame, at) => `${String(at).padEnd(4)}${call(frame)}`),
        order,
      ),
    ]),
  frame: (frame) => call(frame),
};

const heading = (exception: Parameters<typeof headline>[1]): readonly string[] =>
  headline(name(exception.type), exception).split('\n').filter(Boolean);

function call(frame: StackFrame): string {
  const image = name((frame.package ?? '').replace(/^.*[/\\]/s, ''));
  const path = pathOf(frame).replace(/^.*[/\\]/s, '');
  const place = path ? ` (${[path, ...positionOf(frame)].join(':')})` : '';
  return `${image ? `${image.padEnd(30)} ` : ''}${name(frame.function || '<unknown>')}${place}`;
}
