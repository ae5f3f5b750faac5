/** A panic as Go's runtime prints it. Errors are not printed with their stacks by Go; they stand here in the same form. */
import type { StackException, StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { newestFirst, ordered, type Writer } from './report.ts';
import { linesOf, name, pathOf } from './words.ts';

export const go: Writer = {
  report: (report, order) => {
    const [first, ...causes] = report.exceptions;
    if (!first) return [];
    const isPanic = report.unhandled ?? false;
    const head = isPanic ? panicLines(first) : errorLines(first);
    // What a panic's value wraps is in its text already.
    return [...head, ...goroutine(first, report.thread, order), ...(isPanic ? [] : causes.flatMap(causeLines(order)))];
  },
  frame: (frame) => [call(frame), ...place(frame)].join('\n'),
};

/** Further lines of a value are indented, so that none of them looks like one of the runtime's. */
const panicLines = (exception: StackException): readonly string[] =>
  `panic: ${linesOf(exception).join('\n\t')}`.split('\n');

function errorLines(exception: StackException): readonly string[] {
  const [first = '', ...rest] = linesOf(exception);
  return [[name(exception.type), first].filter(Boolean).join(': '), ...rest.map((line) => `\t${line}`)].filter(Boolean);
}

const causeLines =
  (order: StackOrder) =>
  (exception: StackException): readonly string[] => {
    const [first = '', ...rest] = errorLines(exception);
    const isMember = exception.relation === 'member';
    return ['', `${isMember ? 'joins' : 'wraps'} ${first}`, ...rest, ...goroutine(exception, undefined, order)];
  };

function goroutine(exception: StackException, thread: string | undefined, order: StackOrder): readonly string[] {
  const calls = newestFirst(exception).flatMap((frame) => ordered([call(frame), ...place(frame)], order));
  if (calls.length === 0) return [];
  const id = /^(?:goroutine )?(\d{1,20})$/.exec(thread ?? '')?.[1] ?? '1';
  return ['', `goroutine ${id} [running]:`, ...ordered(calls, order)];
}

/** Values of arguments are not sent; `main` has none. */
function call({ module, function: called }: StackFrame): string {
  const full = name([module, called || '<unknown>'].filter(Boolean).join('.'));
  return `${full}(${full === 'main.main' ? '' : '...'})`;
}

const place = (frame: StackFrame): readonly string[] => {
  const path = pathOf(frame);
  return path ? [`\t${path}${frame.lineno === undefined ? '' : `:${frame.lineno}`}`] : [];
};
