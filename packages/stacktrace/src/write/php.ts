/** An uncaught exception as PHP logs it: what came first is printed first, and each call stands where it was made. */
import type { StackException, StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { newestFirst, ordered, type Writer } from './report.ts';
import { headline, name, pathOf, qualified } from './words.ts';

export const php: Writer = {
  report: (report, order) => {
    const last = report.exceptions[0];
    if (!last) return [];
    // One that was caught is printed as its text alone.
    const isFatal = report.unhandled !== false && last.type !== '';
    const blocks = report.exceptions.toReversed().map((each) => one(each, order));
    const place = thrownAt(last);
    return [
      ...blocks.flatMap(([first = '', ...rest], index) => [
        ...(index > 0 ? ['', `Next ${first}`] : [isFatal ? `PHP Fatal error:  Uncaught ${first}` : first]),
        ...rest,
      ]),
      ...(isFatal && place ? [`  thrown in ${place.file} on line ${place.line}`] : []),
    ].filter((line, index) => index > 0 || line);
  },
  frame: (frame) => `${fileOf(frame)}${lineOf(frame)}: ${called(frame) || '{main}'}`,
};

function one(exception: StackException, order: StackOrder): readonly string[] {
  const place = thrownAt(exception);
  const head = `${headline(qualified(exception, '\\'), exception)}${place ? ` in ${place.file}:${place.line}` : ''}`;
  const frames = newestFirst(exception);
  if (frames.length === 0) return head.split('\n');
  // A call stands at the line of the function that made it.
  const calls = frames.flatMap((frame, index) => {
    const from = frames[index + 1];
    return from && frame.function ? [`${fileOf(from)}${lineOf(from)}: ${called(frame)}`] : [];
  });
  const numbered = [...calls, '{main}'].map((each, index) => `#${index} ${each}`);
  return [...head.split('\n'), 'Stack trace:', ...ordered(numbered, order)];
}

function thrownAt(exception: StackException): { readonly file: string; readonly line: number } | undefined {
  const frame = exception.frames.at(-1);
  return frame ? { file: pathOf(frame) || '[internal function]', line: frame.lineno ?? 0 } : undefined;
}

function fileOf(frame: StackFrame): string {
  const path = pathOf(frame);
  return path && path !== '[internal]' ? path : '[internal function]';
}

const lineOf = (frame: StackFrame): string => (fileOf(frame) === '[internal function]' ? '' : `(${frame.lineno ?? 0})`);

/** Values of arguments are not printed where PHP is told to leave them out, as it is in production. */
function called({ module, function: method }: StackFrame): string {
  if (!method) return '';
  return `${name(module && !method.includes('::') ? `${module}::${method}` : method)}()`;
}
