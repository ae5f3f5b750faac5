/** The `entries` of an event: what happened, in the casing of Sentry's API. */
import type { z } from 'zod';
import { withoutColours } from '../../base/ansi.ts';
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
    threadId: toThreadId(exception['thread_id']),
    stacktrace: toStacktrace(exception['stacktrace']),
    rawStacktrace: toRawStacktrace(exception['stacktrace']),
  }));
  if (exceptions.length) {
    const hasSystemFrames = exceptions.some((exception) => exception.stacktrace?.hasSystemFrames);
    entries.push({ type: 'exception', data: { values: exceptions, excOmitted: null, hasSystemFrames } });
  }
  const stacktrace = toStacktrace(event['stacktrace']);
  if (stacktrace) entries.push({ type: 'stacktrace', data: stacktrace });
  const threads = toThreads(values(event['threads']), text(event['platform']));
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
    ...(object(value)?.['snapshot'] === true && { snapshot: true as const }),
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
  const lock = toLock(frame['lock']);
  const imageAddr = text(frame['image_addr']);
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
    ...(imageAddr !== null && { imageAddr }),
    ...(frame['native'] === true && { native: true as const }),
    ...(lock && { lock }),
  };
}

type ThreadShape = Extract<EntryShape, { type: 'threads' }>['data']['values'][number];

/** Those that are looked for come first; the others as they were sent. */
function toThreads(threads: readonly Json[], platform: string | null): ThreadShape[] {
  const shown = threads.map((thread): ThreadShape => {
    const name = text(thread['name']);
    return {
      id: toThreadId(thread['id']),
      name,
      crashed: thread['crashed'] === true,
      current: thread['current'] === true,
      // SDKs of Java do not say.
      main: thread['main'] === true || (platform === 'java' && name === 'main'),
      daemon: thread['daemon'] === true,
      priority: integer(thread['priority']),
      state: text(thread['state']),
      heldLocks: toLocks(object(thread['held_locks'])),
      stacktrace: toStacktrace(thread['stacktrace']),
    };
  });
  const rank = ({ crashed, current, main }: ThreadShape): number => (crashed ? 0 : current ? 1 : main ? 2 : 3);
  return shown.toSorted((a, b) => rank(a) - rank(b));
}

type LockShape = NonNullable<FrameShape['lock']>;

const toLocks = (locks: Json | null): Record<string, LockShape> | null =>
  locks &&
  Object.fromEntries(
    Object.entries(locks).flatMap(([address, value]) => {
      const lock = toLock(value);
      return lock ? [[address, lock] as const] : [];
    }),
  );

function toLock(value: unknown): LockShape | null {
  const lock = object(value);
  return (
    lock && {
      type: integer(lock['type']),
      address: text(lock['address']),
      package_name: text(lock['package_name']),
      class_name: text(lock['class_name']),
      thread_id: toThreadId(lock['thread_id']),
    }
  );
}

const toThreadId = (value: unknown): string | number | null => (typeof value === 'number' ? value : text(value));

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
    message: colourless(text(breadcrumb['message'])),
    data: object(breadcrumb['data']),
    timestamp: typeof seconds === 'number' ? iso(seconds * 1000) : null,
    eventId: text(breadcrumb['event_id']),
  };
}

/** Of events that were stored with colours. */
const colourless = (message: string | null): string | null => message && withoutColours(message);

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
