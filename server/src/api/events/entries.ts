/** The `entries` of an event: what happened, in the casing of Sentry's API. */
import type { z } from 'zod';
import type { Entry, Frame, Stacktrace } from './contract.ts';
import { asShown, integer, iso, type Json, list, object, objects, text, values } from '../shared/read.ts';

type EntryShape = z.output<typeof Entry>;
type FrameShape = z.output<typeof Frame>;
type StacktraceShape = z.output<typeof Stacktrace>;

/** In the order in which Sentry's pages show them. */
export function toEntries(event: Json): EntryShape[] {
  const entries: EntryShape[] = [];
  const message = toMessage(event['logentry']);
  if (message) entries.push({ type: 'message', data: message });
  const exceptions = values(event['exception']).map((exception) => ({
    type: text(exception['type']),
    value: text(exception['value']),
    module: text(exception['module']),
    mechanism: object(exception['mechanism']),
    threadId: text(exception['thread_id']),
    stacktrace: toStacktrace(exception['stacktrace']),
    rawStacktrace: toRawStacktrace(exception['stacktrace']),
  }));
  if (exceptions.length) {
    const hasSystemFrames = exceptions.some((exception) => exception.stacktrace?.hasSystemFrames);
    entries.push({ type: 'exception', data: { values: exceptions, excOmitted: null, hasSystemFrames } });
  }
  const stacktrace = toStacktrace(event['stacktrace']);
  if (stacktrace) entries.push({ type: 'stacktrace', data: stacktrace });
  const threads = values(event['threads']).map((thread) => ({
    id: text(thread['id']),
    name: text(thread['name']),
    crashed: thread['crashed'] === true,
    current: thread['current'] === true,
    state: text(thread['state']),
    stacktrace: toStacktrace(thread['stacktrace']),
  }));
  if (threads.length) entries.push({ type: 'threads', data: { values: threads } });
  const request = toRequest(event['request']);
  if (request) entries.push({ type: 'request', data: request });
  for (const type of ['csp', 'hpkp', 'expectct', 'expectstaple'] as const) {
    const data = object(event[type]);
    if (data) entries.push({ type, data });
  }
  const breadcrumbs = values(event['breadcrumbs']).map(toBreadcrumb);
  if (breadcrumbs.length) entries.push({ type: 'breadcrumbs', data: { values: breadcrumbs } });
  return entries;
}

function toMessage(value: unknown): { formatted: string; message: string | null; params: unknown } | null {
  const entry = object(value);
  const formatted = text(entry?.['formatted']) ?? text(entry?.['message']);
  return entry && formatted !== null
    ? { formatted, message: text(entry['message']), params: entry['params'] ?? null }
    : null;
}

export function toStacktrace(value: unknown): StacktraceShape | null {
  const frames = objects(object(value)?.['frames']).map(toFrame);
  if (!frames.length) return null;
  const [from, until] = list(object(value)?.['frames_omitted']).map(integer);
  const own = frames.some((frame) => frame.inApp);
  return {
    frames,
    framesOmitted: typeof from === 'number' && typeof until === 'number' ? [from, until] : null,
    hasSystemFrames: own && frames.some((frame) => !frame.inApp),
  };
}

/** The stack as it was sent; null where nothing of it was mapped. */
function toRawStacktrace(value: unknown): StacktraceShape | null {
  const frames = objects(object(value)?.['frames']);
  if (!frames.some((frame) => object(object(frame['data'])?.['raw']))) return null;
  const sent = frames.map((frame): Json => {
    const raw = object(object(frame['data'])?.['raw']);
    if (!raw) return frame;
    const { context_line: _line, pre_context: _pre, post_context: _post, data: _data, ...rest } = frame;
    return { ...rest, ...raw };
  });
  return toStacktrace({ ...object(value), frames: sent });
}

function toFrame(frame: Json): FrameShape {
  return {
    filename: text(frame['filename']),
    absPath: text(frame['abs_path']),
    module: text(frame['module']),
    package: text(frame['package']),
    platform: text(frame['platform']),
    function: text(frame['function']),
    rawFunction: text(frame['raw_function']),
    lineNo: integer(frame['lineno']),
    colNo: integer(frame['colno']),
    inApp: frame['in_app'] === true,
    context: toContext(frame),
    vars: toVars(frame['vars']),
    instructionAddr: text(frame['instruction_addr']),
    symbolAddr: text(frame['symbol_addr']),
    trust: text(frame['trust']),
    data: object(frame['data']),
    sourceLink: null,
  };
}

/** Locals may come as a list; then their places are their names. */
const toVars = (value: unknown): Json | null =>
  Array.isArray(value) ? Object.fromEntries(value.map((one, index) => [String(index), one])) : object(value);

function toContext(frame: Json): [number, string][] {
  const line = integer(frame['lineno']);
  if (line === null || typeof frame['context_line'] !== 'string') return [];
  const before = list(frame['pre_context']);
  const lines = [...before, frame['context_line'], ...list(frame['post_context'])];
  const first = line - before.length;
  return lines.map((one, index) => [first + index, text(one) ?? '']);
}

function toBreadcrumb(breadcrumb: Json): Extract<EntryShape, { type: 'breadcrumbs' }>['data']['values'][number] {
  const seconds = breadcrumb['timestamp'];
  return {
    type: text(breadcrumb['type']) ?? 'default',
    category: text(breadcrumb['category']),
    level: text(breadcrumb['level']) ?? 'info',
    message: text(breadcrumb['message']),
    data: object(breadcrumb['data']),
    timestamp: typeof seconds === 'number' ? iso(seconds * 1000) : null,
    eventId: text(breadcrumb['event_id']),
  };
}

const pairs = (value: unknown): [string, string | null][] =>
  list(value).flatMap((pair): [string, string | null][] =>
    Array.isArray(pair) && typeof pair[0] === 'string' ? [[pair[0], asShown(pair[1])]] : [],
  );

function toRequest(value: unknown): Extract<EntryShape, { type: 'request' }>['data'] | null {
  const request = object(value);
  return (
    request && {
      method: text(request['method']),
      url: text(request['url']),
      query: pairs(request['query_string']),
      fragment: text(request['fragment']),
      headers: pairs(request['headers']),
      cookies: pairs(request['cookies']),
      data: request['data'] ?? null,
      env: object(request['env']),
      inferredContentType: text(request['inferred_content_type']),
    }
  );
}
