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
  const called = methodOf(frame.function || '<unknown>', module);
  const isWhole = !module || module === '(unknown)' || called.startsWith(`${module}.`);
  const method = name(isWhole ? called : `${module}.${called}`);
  const path = pathOf(frame);
  const place = path ? ` in ${path}${lineno === undefined ? '' : `:line ${lineno}`}` : '';
  return `${method.includes('(') ? method : `${method}()`}${place}`;
}

/** `Order(int id)` of what the SDK makes readable, `void Cart.Order(int id)`, where the module is the whole name of the class. */
function methodOf(called: string, module: string | undefined): string {
  const end = called.indexOf('(');
  if (end < 0 || !module) return called;
  let [start, depth] = [end, 0];
  for (; start > 0 && (depth > 0 || called[start - 1] !== ' '); start--) {
    if (called[start - 1] === '>') depth++;
    else if (called[start - 1] === '<') depth--;
  }
  const method = called.slice(start);
  const dot = method.lastIndexOf('.', method.search(/[<(]/));
  const isOfModule = dot > 0 && `.${module}`.endsWith(`.${method.slice(0, dot)}`);
  return isOfModule ? method.slice(dot + 1) : method;
}
