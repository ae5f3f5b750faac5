/** An event as it was sent beside the one that is stored, field by field. */
type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const list = (value: unknown): Json[] => (Array.isArray(value) ? value : ((object(value).values as Json[]) ?? []));

/** Tags are pairs here, and an object there. */
const tags = (value: unknown): Json =>
  Array.isArray(value)
    ? Object.fromEntries(
        value.map((pair: unknown) => (Array.isArray(pair) ? pair : [object(pair).key, object(pair).value])),
      )
    : object(value);

const frame = (one: Json): Json => {
  const { filename, abs_path, function: name, module, lineno, context_line, pre_context, post_context, in_app } = one;
  return { filename, abs_path, function: name, module, lineno, context_line, pre_context, post_context, in_app };
};

/** What of an event must be the same after it was moved, in one form. */
export function comparable(event: Json): Json {
  const { event_id, level, platform, release, environment, server_name, user, modules, transaction, extra } = event;
  const { name, version } = object(event.sdk);
  const { runtime, cart, trace } = object(event.contexts);
  return {
    event_id,
    level,
    platform,
    release,
    environment,
    server_name,
    modules,
    transaction,
    extra,
    timestamp: Math.round(time(event.timestamp)),
    sdk: { name, version },
    user: { id: object(user).id, username: object(user).username },
    tags: Object.fromEntries(
      Object.entries(tags(event.tags)).flatMap(([key, value]) =>
        ['round', 'region'].includes(key) ? [[key, String(value)]] : [],
      ),
    ),
    contexts: { runtime: object(runtime).version, cart, trace: object(trace).trace_id },
    breadcrumbs: list(event.breadcrumbs).map(({ category, message, level: of }) => ({ category, message, level: of })),
    exceptions: list(event.exception).map(({ type, value, module, mechanism, stacktrace }) => ({
      type,
      value,
      module,
      mechanism: { type: object(mechanism).type, handled: object(mechanism).handled },
      frames: list(object(stacktrace).frames).map(frame),
    })),
  };
}

/** ms since the epoch, with what is finer than that, which `Date.parse` cuts off. */
function time(value: unknown): number {
  if (typeof value === 'number') return value * 1000;
  const [, whole = '', fraction = '0', zone = 'Z'] = /^([^.Z+]*)(?:\.(\d+))?(Z|[+-].*)?$/.exec(String(value)) ?? [];
  return Date.parse(`${whole}${zone}`) + Number(`0.${fraction}`) * 1000;
}

/** Paths at which two differ. */
export function differences(a: unknown, b: unknown, path = ''): string[] {
  const isNothing = (value: unknown): boolean =>
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  if (isNothing(a) && isNothing(b)) return [];
  // A time that was sent in microseconds is kept in milliseconds.
  if (path === '.timestamp' && Math.abs(Number(a) - Number(b)) <= 1) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b ? [] : [`${path}: ${JSON.stringify(a)} is ${JSON.stringify(b)}`];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => differences(object(a)[key], object(b)[key], `${path}.${key}`));
}
