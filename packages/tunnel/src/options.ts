import { formatDsn, parseDsn, type Dsn } from '@culprit/envelope';
import { managedPath } from './managed-path.ts';

export interface TunnelOptions {
  /**
   * The DSNs that may pass; nothing else does. Entries that are undefined or empty are left out, as an SDK without a
   * DSN is switched off; with none left, everything is refused.
   */
  readonly dsns: readonly (string | undefined)[];
  /**
   * Where the tunnel listens; `/monitoring` when left out. The paths that SDKs with `tunnel: true` derive from the
   * DSNs are served besides. Route handlers, which have a path already, do not look at it.
   */
  readonly path?: string | readonly string[];
  /** Base URL of the monitor, such as `http://culprit:7420`, when the DSN's own host cannot be reached from here. */
  readonly upstream?: string;
  /**
   * How many proxies stand before this server and add to `X-Forwarded-For`; 0 when left out. The client's address is
   * the entry that the outermost of them wrote; what stands to the left of it is the client's own invention.
   */
  readonly trustedProxies?: number;
  /** Of one body as it is sent; 20 MiB when left out, as Culprit itself. */
  readonly maxBodyBytes?: number;
  /** Of all bodies that this process holds at once; 64 MiB when left out. */
  readonly maxHeldBytes?: number;
  /** Until a body has arrived; 15 s when left out. */
  readonly bodyTimeoutMs?: number;
  /** Until the monitor has answered, connecting included; 10 s when left out. */
  readonly timeoutMs?: number;
  /** Hears of envelopes that could not be delivered, with the cause; the client hears nothing but 502. */
  readonly onError?: (error: unknown) => void;
}

const numbers = {
  trustedProxies: 0,
  maxBodyBytes: 20 * 2 ** 20,
  maxHeldBytes: 64 * 2 ** 20,
  bodyTimeoutMs: 15_000,
  timeoutMs: 10_000,
};

export interface Settings extends Readonly<typeof numbers> {
  /** Where to send, by DSN, both as it was given and as we write it. */
  readonly targets: ReadonlyMap<unknown, URL>;
  readonly paths: ReadonlySet<string>;
  readonly onError: (error: unknown) => void;
}

/** Throws a TypeError that names the option when one cannot be used: trouble of this kind should show when starting. */
export function readOptions(options: TunnelOptions): Settings {
  const targets = new Map<unknown, URL>();
  const paths = new Set([options.path ?? '/monitoring'].flat().map(withoutSlash));
  for (const text of options.dsns) {
    if (!text) continue;
    const dsn = parseDsn(text);
    if (!dsn) throw new TypeError('dsns contains an invalid DSN; expected https://KEY@HOST/PROJECT');
    const target = targetOf(dsn, options.upstream);
    targets.set(text, target).set(formatDsn(dsn), target);
    paths.add(managedPath(text));
  }
  const limits = { ...numbers };
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
    const value = options[name] ?? numbers[name];
    if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${name} is ${value}; expected a whole number`);
    limits[name] = value;
  }
  return { ...limits, targets, paths, onError: options.onError ?? (() => {}) };
}

/** Whether the path of a URL is the tunnel's; a slash at the end makes no difference. */
export function isTunnelPath({ paths }: Settings, pathname: string): boolean {
  return paths.has(withoutSlash(pathname));
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function targetOf(dsn: Dsn, upstream: string | undefined): URL {
  const base = upstream ?? `${dsn.protocol}://${dsn.host}${dsn.pathPrefix}`;
  if (!/^https?:\/\//.test(base)) throw new TypeError('upstream is no URL such as http://culprit:7420');
  return new URL(`${withoutSlash(base)}/api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${dsn.publicKey}`);
}
