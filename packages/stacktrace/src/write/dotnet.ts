/** An exception as .NET's `Exception.ToString` prints it: inner ones before the calls of the outer one. */
import type { StackException, StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { childrenOf, newestFirst, ordered, type StackReport, type Writer } from './report.ts';
import { headline, name, pathOf, qualified } from './words.ts';

export const dotnet: Writer = {
  report: (report, order) => {
    if (report.exceptions.length === 0) return [];
    return `${report.unhandled ? 'Unhandled exception. ' : ''}${one(report, 0, order)}`.split('\n').filter(Boolean);
  },
  frame: (frame) => `at ${call(frame)}`,
};

function one(report: StackReport, index: number, order: StackOrder): string {
  const exception = report.exceptions[index]!;
  const [cause] = childrenOf(report, index, 'cause', 'context');
  const members = childrenOf(report, index, 'member', 'suppressed');
  const inner = cause ?? members[0];
  const others = members.filter((at) => at !== inner);
  return [
    headline(typeOf(exception), exception),
    ...(inner === undefined
      ? []
      : [` ---> ${one(report, inner, order)}`, '   --- End of inner exception stack trace ---']),
    ...ordered(
      newestFirst(exception).map((frame) => `   at ${call(frame)}`),
      order,
    ),
    ...others.map((at) => ` ---> (Inner Exception #${members.indexOf(at)}) ${one(report, at, order)}<---\n`),
  ].join('\n');
}

/** The SDK sends whole names as types, and the assembly as their module. */
function typeOf(exception: StackException): string {
  const { type, module } = exception;
  return !module || type.includes('.') || module.includes(',') ? name(type) : qualified(exception);
}

function call(frame: StackFrame): string {
  const { module, lineno } = frame;
  const called = frame.function || '<unknown>';
  const isWhole = !module || module === '(unknown)' || called.startsWith(`${module}.`);
  const method = name(isWhole ? called : `${module}.${called}`);
  const path = pathOf(frame);
  const place = path ? ` in ${path}${lineno === undefined ? '' : `:line ${lineno}`}` : '';
  return `${method.includes('(') ? method : `${method}()`}${place}`;
}
