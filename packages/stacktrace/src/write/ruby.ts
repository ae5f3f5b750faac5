/** An exception as Ruby prints it: the newest call before the message, causes after what they led to. */
import type { StackException, StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { newestFirst, ordered, type StackReport, type Writer } from './report.ts';
import { linesOf, name, pathOf, versionOf } from './words.ts';

export const ruby: Writer = {
  report: (report, order) => report.exceptions.flatMap((exception) => one(report, exception, order)),
  frame: (frame, report) => call(frame, report?.version),
};

function one({ version }: StackReport, exception: StackException, order: StackOrder): readonly string[] {
  const [newest, ...others] = newestFirst(exception);
  const [first = '', ...rest] = titled(exception);
  const from = others.map((frame) => `\tfrom ${call(frame, version)}`);
  return [newest ? `${call(newest, version)}: ${first}` : first, ...rest, ...ordered(from, order)].filter(
    (line, index) => index > 0 || line,
  );
}

/** The class stands behind the first line of the message; newer SDKs send it there. */
function titled(exception: StackException): readonly string[] {
  const type = name(exception.type);
  const [first = '', ...rest] = linesOf(exception);
  if (!type) return [first, ...rest];
  if (!first && rest.length === 0) return [type];
  return [first.endsWith(`(${type})`) ? first : `${first} (${type})`, ...rest];
}

function call(frame: StackFrame, version: string | undefined): string {
  const place = [pathOf(frame), ...(frame.lineno === undefined ? [] : [frame.lineno])].join(':');
  if (!frame.function) return place;
  const label = name(frame.module ? `${frame.module}#${frame.function}` : frame.function);
  const [major, minor] = versionOf(version);
  const isOld = version !== undefined && (major < 3 || (major === 3 && minor < 4));
  return `${place}:in ${isOld ? '`' : "'"}${label}'`;
}
