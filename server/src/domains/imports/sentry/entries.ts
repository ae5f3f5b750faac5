/**
 * From an event as a tracker shows it to one as an SDK sends it. Trackers that keep no raw event give its parts as
 * `entries`, with names and forms of their own.
 */
type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Where a part of the event stands, by the type of its entry. */
const places: Readonly<Record<string, string>> = {
  exception: 'exception',
  breadcrumbs: 'breadcrumbs',
  threads: 'threads',
  request: 'request',
  message: 'logentry',
  stacktrace: 'stacktrace',
  csp: 'csp',
  debugmeta: 'debug_meta',
};

export function fromEntries(shown: Json): Json {
  const parts: Record<string, unknown> = {};
  for (const entry of list(shown['entries'])) {
    const { type, data } = object(entry);
    const place = typeof type === 'string' && Object.hasOwn(places, type) ? places[type] : undefined;
    if (place !== undefined) parts[place] = data;
  }
  const exceptions = object(parts['exception'])['values'];
  if (exceptions !== undefined) parts['exception'] = { values: list(exceptions).map(toException) };
  if (parts['stacktrace'] !== undefined) parts['stacktrace'] = toStacktrace(parts['stacktrace']);
  const { user, contexts, sdk, platform, tags, context, packages, level, culprit, environment, dist } = shown;
  const release = shown['release'];
  return {
    ...parts,
    ...given({ user, contexts, sdk, platform, level, environment, dist }),
    ...given({ tags: toTags(tags), extra: context, modules: packages, transaction: culprit }),
    ...given({ release: typeof release === 'object' ? object(release)['version'] : release }),
    ...(parts['logentry'] === undefined && parts['exception'] === undefined && given({ message: shown['message'] })),
    timestamp: shown['dateCreated'],
  };
}

const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** What the tracker derived is derived here again; level, environment and release are texts of their own. */
function toTags(tags: unknown): Json {
  const pairs = list(tags).map((tag) => [object(tag)['key'], object(tag)['value']] as const);
  return Object.fromEntries(pairs.filter(([key]) => typeof key === 'string'));
}

function toException(exception: unknown): Json {
  const { stacktrace, rawStacktrace, ...rest } = object(exception);
  return {
    ...rest,
    ...(object(stacktrace)['frames'] !== undefined && { stacktrace: toStacktrace(stacktrace) }),
    ...(object(rawStacktrace)['frames'] !== undefined && { raw_stacktrace: toStacktrace(rawStacktrace) }),
  };
}

const toStacktrace = (stacktrace: unknown): Json => ({
  frames: list(object(stacktrace)['frames']).map((frame) => toFrame(object(frame))),
});

function toFrame({ absPath, lineNo, colNo, inApp, context, ...rest }: Json): Json {
  const line = typeof lineNo === 'number' ? lineNo : undefined;
  const lines = list(context).map((pair) => list(pair));
  const textOf = (pair: readonly unknown[]): unknown => pair[1];
  const before = (pair: readonly unknown[]): boolean => line !== undefined && Number(pair[0]) < line;
  const after = (pair: readonly unknown[]): boolean => line !== undefined && Number(pair[0]) > line;
  const own = lines.find(([number]) => number === line);
  return {
    ...rest,
    ...given({ abs_path: absPath, lineno: lineNo, colno: colNo, in_app: inApp }),
    ...(own && {
      context_line: own[1],
      pre_context: lines.filter(before).map(textOf),
      post_context: lines.filter(after).map(textOf),
    }),
  };
}
