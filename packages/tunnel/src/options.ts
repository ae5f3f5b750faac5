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

export interface Settings {
  /** URL to send to, by canonical DSN. */
  readonly targets: ReadonlyMap<string, string>;
  readonly paths: ReadonlySet<string>;
  readonly trustedProxies: number;
  readonly maxBodyBytes: number;
  readonly maxHeldBytes: number;
  readonly bodyTimeoutMs: number;
  readonly timeoutMs: number;
  readonly onError: (error: unknown) => void;
}

const mebibyte = 2 ** 20;

/** Throws a TypeError that names the option when one cannot be used: trouble of this kind should show when starting. */
export function readOptions(options: TunnelOptions): Settings {
  const targets = new Map<string, string>();
  const paths = new Set([options.path ?? '/monitoring'].flat().map(withoutSlash));
  for (const [index, text] of options.dsns.entries()) {
    if (!text) continue;
    const dsn = parseDsn(text);
    if (!dsn) throw new TypeError(`dsns[${index}] is no DSN; expected https://KEY@HOST/PROJECT`);
    targets.set(formatDsn(dsn), targetOf(dsn, options.upstream));
    paths.add(managedPath(text));
  }
  return {
    targets,
    paths,
    trustedProxies: whole('trustedProxies', options.trustedProxies ?? 0, 0),
    maxBodyBytes: whole('maxBodyBytes', options.maxBodyBytes ?? 20 * mebibyte),
    maxHeldBytes: whole('maxHeldBytes', options.maxHeldBytes ?? 64 * mebibyte),
    bodyTimeoutMs: whole('bodyTimeoutMs', options.bodyTimeoutMs ?? 15_000),
    timeoutMs: whole('timeoutMs', options.timeoutMs ?? 10_000),
    onError: options.onError ?? (() => {}),
  };
}

/** Whether the path of a URL is the tunnel's; a slash at the end makes no difference. */
export function isTunnelPath({ paths }: Settings, pathname: string): boolean {
  return paths.has(withoutSlash(pathname));
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function targetOf(dsn: Dsn, upstream: string | undefined): string {
  const base = upstream ?? `${dsn.protocol}://${dsn.host}${dsn.pathPrefix}`;
  if (!URL.canParse(base)) throw new TypeError(`upstream is "${base}"; expected a URL such as http://culprit:7420`);
  return `${withoutSlash(base)}/api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${dsn.publicKey}`;
}

function whole(name: string, value: number, least = 1): number {
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`${name} is ${value}; expected a whole number`);
  return value;
}
