/** Exceptions with their mechanisms. */
import type { Exception, Mechanism, Stacktrace } from '../event.ts';
import { asBoolean, asCount, asObject, asText, asValues, type JsonObject } from '../json.ts';
import { countLimits, cutText, textLimits } from '../limits.ts';
import type { StackTaking } from '../known-stacks.ts';
import type { Remarks } from '../remarks.ts';
import { parseStacktrace } from './frames.ts';
import { parseThreadId } from './locks.ts';

const typeAndValue = /^(\w{1,128}):\s?(.*)$/;

/** The outermost exceptions are the last: of too many those are kept. */
export function parseExceptions(value: unknown, remarks: Remarks, taking?: StackTaking): Exception[] {
  let list = asValues(value);
  if (list.length > countLimits.exceptions) {
    remarks.changed(['exception', 'values'], '!limit', 'x', list.length);
    list = list.slice(-countLimits.exceptions);
  }
  const exceptions: Exception[] = [];
  for (const entry of list) {
    const raw = asObject(entry);
    const exception = raw && parseException(raw, exceptions.length, remarks, taking);
    if (exception) exceptions.push(exception);
  }
  return exceptions;
}

function parseException(
  raw: JsonObject,
  index: number,
  remarks: Remarks,
  taking: StackTaking | undefined,
): Exception | undefined {
  let type = asText(raw.type);
  let value = describe(raw.value);
  if (type === undefined && value !== undefined) {
    const match = typeAndValue.exec(value);
    if (match) [type, value] = [match[1], match[2] === '' ? undefined : match[2]];
  }
  const stacktrace = parseStacktrace(raw.stacktrace, remarks, ['exception', 'values', index, 'stacktrace'], taking);
  if (type === undefined && value === undefined && !stacktrace) {
    remarks.error('missing_attribute', `exception.values.${index}.type`);
    return undefined;
  }
  const exception: Exception = {
    type: type === undefined ? undefined : cutText(type, textLimits.type),
    value:
      value === undefined
        ? undefined
        : cutText(value, textLimits.message, remarks, ['exception', 'values', index, 'value']),
  };
  const module = asText(raw.module);
  if (module !== undefined) exception.module = cutText(module, textLimits.type);
  const thread = parseThreadId(raw.thread_id);
  if (thread !== undefined) exception.thread_id = thread;
  const mechanism = asObject(raw.mechanism);
  if (mechanism) exception.mechanism = parseMechanism(mechanism);
  if (stacktrace) exception.stacktrace = stacktrace;
  return exception;
}

/** Some clients send an object where the message should be. */
function describe(value: unknown): string | undefined {
  const text = asText(value);
  if (text !== undefined || typeof value !== 'object' || value === null) return text;
  const message = asText(asObject(value)?.message);
  return message ?? (Array.isArray(value) ? '[Array]' : '[Object]');
}

function parseMechanism(raw: JsonObject): Mechanism {
  const mechanism: Mechanism = { type: cutText(asText(raw.type) ?? 'generic', textLimits.short) };
  const handled = asBoolean(raw.handled);
  if (handled !== undefined) mechanism.handled = handled;
  if (raw.synthetic === true) mechanism.synthetic = true;
  const source = asText(raw.source);
  if (source !== undefined) mechanism.source = cutText(source, textLimits.type);
  const description = asText(raw.description);
  if (description !== undefined) mechanism.description = cutText(description, textLimits.message);
  const link = asText(raw.help_link);
  if (link !== undefined) mechanism.help_link = cutText(link, textLimits.url);
  const id = asCount(raw.exception_id);
  if (id !== undefined) mechanism.exception_id = id;
  const parent = asCount(raw.parent_id);
  if (parent !== undefined) mechanism.parent_id = parent;
  if (raw.is_exception_group === true) mechanism.is_exception_group = true;
  if (asObject(raw.data)) mechanism.data = raw.data;
  if (asObject(raw.meta)) mechanism.meta = raw.meta;
  return mechanism;
}

/** A stack beside a single exception without one is that exception's. True when it was moved. */
export function adoptStacktrace(exceptions: Exception[], stacktrace: Stacktrace | undefined): boolean {
  const [only] = exceptions;
  if (!stacktrace || !only || exceptions.length !== 1 || only.stacktrace) return false;
  only.stacktrace = stacktrace;
  return true;
}
