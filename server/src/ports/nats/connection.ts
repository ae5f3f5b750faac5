/**
 * The connection to NATS, one a process: the log and what nodes tell each other go over it.
 *
 *   connected ──lost──► down ──found again──► connected      (for ever, until it is closed)
 */
import { readFile } from 'node:fs/promises';
import {
  AuthorizationError,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { CodedError } from '../../base/errors.ts';
import { nats as texts, natsAddress } from '../../base/texts/nats.ts';
import { type NatsAddress, parseNatsAddress } from './address.ts';

/** Whether it can be used now. Times are ms since the epoch. */
export type Availability =
  | { readonly isUp: true; readonly sinceMs: number }
  | { readonly isUp: false; readonly sinceMs: number; readonly reason: string };

export interface Nats extends AsyncDisposable {
  readonly connection: NatsConnection;
  readonly address: NatsAddress;
  /** Its servers, for people: without credentials. */
  readonly servers: string;
  /** Different for each connection: whoever hears of it knows what it said itself. */
  readonly id: string;
  availability(): Availability;
  /** Called when the connection was lost, and when it is there again. Returns the function that unsubscribes. */
  watch(listener: (now: Availability) => void): () => void;
  close(): Promise<void>;
}

export interface NatsOptions {
  /** Checked by `parseNatsAddress`. */
  readonly url: string;
  /** What the server's list of connections calls it. */
  readonly name: string;
  readonly warn?: ((sentence: string) => void) | undefined;
}

const connectTimeoutMs = 5_000;
const reconnectMs = 250;
/** A server that has not answered two of these is gone. */
const pingMs = 5_000;
const leastVersion = [2, 9] as const;

/** Throws `CONFIG_INVALID` where the address is wrong, and `LOG_UNAVAILABLE` where nobody answers there. */
export async function openNats({ url, name, warn }: NatsOptions): Promise<Nats> {
  const address = parseNatsAddress(url);
  const servers = address.servers.join(', ');
  let connection: NatsConnection;
  try {
    connection = await connect(await connectOptions(address, name));
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const sentence = error instanceof AuthorizationError ? texts.refused(servers) : texts.unreachable(servers, reason);
    throw new CodedError('LOG_UNAVAILABLE', [sentence], { cause: error });
  }
  const unfit = unfitness(connection, servers);
  if (unfit) {
    await connection.close();
    throw new CodedError('LOG_UNAVAILABLE', [unfit]);
  }
  return watched(connection, address, servers, warn);
}

async function connectOptions(address: NatsAddress, name: string): Promise<NodeConnectionOptions> {
  const file = async (key: 'creds' | 'ca' | 'cert' | 'key'): Promise<Buffer | undefined> => {
    const path = address[key];
    if (path === undefined) return undefined;
    return readFile(path).catch((error: Error) => {
      throw new CodedError('CONFIG_INVALID', [natsAddress.file(key, path, error.message)]);
    });
  };
  const [creds, ca, cert, key] = await Promise.all([file('creds'), file('ca'), file('cert'), file('key')]);
  const { user, password, token } = address;
  return {
    servers: [...address.servers],
    name,
    ...(user !== undefined && { user, pass: password ?? '' }),
    ...(token !== undefined && { token }),
    ...(creds && { authenticator: credsAuthenticator(creds) }),
    ...(address.tls && {
      tls: { ...(ca && { ca: String(ca) }), ...(cert && { cert: String(cert) }), ...(key && { key: String(key) }) },
    }),
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    // Somebody may be changing the users of the server just now.
    ignoreAuthErrorAbort: true,
    pingInterval: pingMs,
    maxPingOut: 2,
  };
}

/** Why the server cannot hold the log; undefined where it can. */
function unfitness({ info }: NatsConnection, servers: string): string | undefined {
  const version = info?.version ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1])) return texts.tooOld(version);
  return info?.jetstream ? undefined : texts.noJetStream(servers);
}

function watched(connection: NatsConnection, address: NatsAddress, servers: string, warn: NatsOptions['warn']): Nats {
  const listeners = new Set<(now: Availability) => void>();
  let now: Availability = { isUp: true, sinceMs: Date.now() };
  const become = (next: Availability): void => {
    if (next.isUp === now.isUp) return;
    now = next;
    for (const listener of listeners) listener(next);
  };
  const follow = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        if (!now.isUp) continue;
        warn?.(texts.disconnected(servers));
        become({ isUp: false, sinceMs: Date.now(), reason: texts.disconnected(servers) });
      } else if (status.type === 'reconnect') {
        become({ isUp: true, sinceMs: Date.now() });
      }
    }
  };
  void follow();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= connection.close();
    return closing;
  };
  return {
    connection,
    address,
    servers,
    id: crypto.randomUUID(),
    availability: () => now,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
