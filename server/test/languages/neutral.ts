/** One form for what SDKs, the store and the API each write in their own. What it hides is spelling, never a value. */
import { object, type Json } from './json.ts';

const lists = ['exception', 'threads', 'breadcrumbs'];
const levels: Readonly<Record<number, string>> = { 10: 'debug', 20: 'info', 30: 'warning', 40: 'error', 50: 'fatal' };

/** A payload of an event, as it was sent or as it is stored. */
export function neutral(event: Json): Json {
  const out: Json = { ...event };
  for (const name of lists) if (Array.isArray(out[name])) out[name] = { values: out[name] };
  const { message, logentry } = out;
  const old = out['sentry.interfaces.Message'];
  const said = [logentry, old, message].find((one) => one !== undefined && one !== null && one !== '');
  for (const name of ['message', 'sentry.interfaces.Message', 'logentry']) delete out[name];
  if (said !== undefined) out.logentry = neutralMessage(said);
  if (out.tags) out.tags = pairsOf(out.tags);
  const request = object(out.request);
  if (request) out.request = neutralRequest(request);
  out.timestamp = seconds(out.timestamp);
  if (typeof out.level === 'number') out.level = levels[out.level];
  // The type of the item, where SDKs of Ruby say it once more.
  if (out.type === 'event') delete out.type;
  // The API has them in the order of interest.
  const threads = object(out.threads)?.values as Json[] | undefined;
  if (threads) out.threads = Object.fromEntries(threads.map((thread) => [String(thread.id ?? ''), thread]));
  const crumbs = object(out.breadcrumbs)?.values;
  if (Array.isArray(crumbs)) {
    out.breadcrumbs = { values: crumbs.map((one: Json) => ({ ...one, timestamp: seconds(one.timestamp) })) };
  }
  return out;
}

/** What is formatted is what one reads; alone, the template is that. */
function neutralMessage(said: unknown): Json {
  const message: Json = typeof said === 'string' ? { formatted: said } : { ...object(said) };
  const { formatted, ...rest } = message;
  if (formatted) return message;
  return message.params ? rest : { ...rest, formatted: message.message };
}

function neutralRequest(request: Json): Json {
  const query = request.query_string;
  const cookies = request.cookies;
  return {
    ...request,
    ...(request.headers !== undefined && { headers: pairsOf(request.headers, (name) => name.toLowerCase()) }),
    ...(query !== undefined && { query_string: typeof query === 'string' ? urlPairs(query) : pairsOf(query) }),
    ...(cookies !== undefined && { cookies: typeof cookies === 'string' ? cookiePairs(cookies) : pairsOf(cookies) }),
    // A body may be a text of JSON.
    ...(typeof request.data === 'string' && { data: parsed(request.data) }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const urlPairs = (text: string): Json => Object.fromEntries(new URLSearchParams(text));

const cookiePairs = (text: string): Json =>
  Object.fromEntries(text.split(/; */).map((pair) => pair.split(/=(.*)/s).slice(0, 2)));

function pairsOf(value: unknown, name = (text: string): string => text): Json {
  const pairs = Array.isArray(value) ? (value as [string, unknown][]) : Object.entries(object(value) ?? {});
  // PHP has a list of values for each header.
  return Object.fromEntries(pairs.map(([key, one]) => [name(key), Array.isArray(one) ? one.join(',') : one]));
}

/** Of a text, or of a number; what is neither stays. */
export function seconds(time: unknown): unknown {
  if (typeof time !== 'string') return time;
  const [whole = '', fraction = ''] = /\.\d+/.test(time)
    ? [time.replace(/\.\d+/, ''), time.match(/\.\d+/)?.[0]]
    : [time];
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(whole) ? whole : `${whole}Z`;
  return Date.parse(zoned) / 1000 + Number(fraction ? `0${fraction}` : 0);
}

/** The API's event in the form of the payload. */
export function shownAsSent(shown: Json): Json {
  const entry = (type: string): Json | undefined =>
    object((shown.entries as { type: string; data: unknown }[]).find((one) => one.type === type)?.data);
  const request = entry('request');
  const tags = new Map((shown.tags as { key: string; value: string }[]).map(({ key, value }) => [key, value]));
  return neutral({
    event_id: shown.eventID,
    type: shown.type,
    level: shown.level,
    platform: shown.platform,
    timestamp: shown.dateCreated,
    received: seconds(shown.dateReceived),
    release: object(shown.release)?.version,
    dist: shown.dist,
    environment: shown.environment,
    logger: shown.logger,
    tags: [...tags],
    server_name: tags.get('server_name'),
    transaction: tags.get('transaction'),
    user: shown.user,
    contexts: shown.contexts,
    extra: shown.context,
    modules: shown.packages,
    sdk: shown.sdk,
    errors: shown.errors,
    logentry: entry('message'),
    exception: valuesOf(entry('exception'), exceptionAsSent),
    threads: valuesOf(entry('threads'), threadAsSent),
    stacktrace: stackAsSent(entry('stacktrace')),
    breadcrumbs: valuesOf(entry('breadcrumbs'), (one) => one),
    ...(request && {
      request: { ...request, query_string: request.query, inferred_content_type: request.inferredContentType },
    }),
    _meta: shown['_meta'],
  });
}

const valuesOf = (data: Json | undefined, read: (value: Json) => Json): Json | undefined =>
  data && { values: (data.values as Json[]).map(read) };

const exceptionAsSent = ({ threadId, stacktrace, ...rest }: Json): Json => ({
  ...rest,
  thread_id: threadId,
  stacktrace: stackAsSent(object(stacktrace)),
});

const threadAsSent = ({ heldLocks, stacktrace, ...rest }: Json): Json => ({
  ...rest,
  held_locks: heldLocks,
  stacktrace: stackAsSent(object(stacktrace)),
});

const stackAsSent = (stack: Json | undefined): Json | undefined =>
  stack && {
    frames: (stack.frames as Json[]).map(frameAsSent),
    snapshot: stack.snapshot,
    frames_omitted: stack.framesOmitted,
  };

function frameAsSent(frame: Json): Json {
  const lines = (frame.context as [number, string][]).map(([, line]) => line);
  const at = (frame.context as [number, string][]).findIndex(([number]) => number === frame.lineNo);
  return {
    ...frame,
    abs_path: frame.absPath,
    raw_function: frame.rawFunction,
    lineno: frame.lineNo,
    colno: frame.colNo,
    in_app: frame.inApp,
    instruction_addr: frame.instructionAddr,
    symbol_addr: frame.symbolAddr,
    ...(at >= 0 && { pre_context: lines.slice(0, at), context_line: lines[at], post_context: lines.slice(at + 1) }),
  };
}
