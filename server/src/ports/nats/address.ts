/** The address of NATS, as `CULPRIT_LOG_URL` has it. */
import { CodedError } from '../../base/errors.ts';
import { natsAddress as texts } from '../../base/texts/nats.ts';

export interface NatsAddress {
  /** `host:port`, at least one. */
  readonly servers: readonly string[];
  /** Nothing is sent before the connection is encrypted. */
  readonly tls: boolean;
  readonly user?: string;
  readonly password?: string;
  /** Instead of a user. */
  readonly token?: string;
  /** Paths of files. */
  readonly creds?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** What streams and subjects begin with: letters, digits, `-` and `_`. */
  readonly prefix: string;
  /** Of each stream. */
  readonly replicas: number;
  /** A node that has been silent for so long loses the batches that it holds, ms. */
  readonly ackWaitMs: number;
}

const defaultPort = 4222;
const shape = /^(nats|tls):\/\/(?:([^@/?#]*)@)?([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const hostShape = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/;
const prefixShape = /^[\w-]{1,64}$/;
const files = ['creds', 'ca', 'cert', 'key'] as const;
const parameters = new Set<string>([...files, 'replicas', 'ack_wait']);

export const isNatsUrl = (url: string): boolean => /^(?:nats|tls):\/\//.test(url);

/** Throws `CodedError('CONFIG_INVALID')`, without the password in it. */
export function parseNatsAddress(url: string): NatsAddress {
  const [, scheme, credentials, hosts = '', path = '', query = ''] = shape.exec(url) ?? refuse(texts.shape);
  const prefix = path === '' ? 'culprit' : path;
  if (!prefixShape.test(prefix)) refuse(texts.prefix(prefix));
  const asked = new URLSearchParams(query);
  for (const name of asked.keys()) if (!parameters.has(name)) refuse(texts.parameter(name));
  const replicas = Number(asked.get('replicas') ?? 1);
  if (![1, 3, 5].includes(replicas)) refuse(texts.replicas(asked.get('replicas') ?? ''));
  const ackWait = Number(asked.get('ack_wait') ?? 30);
  if (!(ackWait >= 1 && ackWait <= 600)) refuse(texts.ackWait(asked.get('ack_wait') ?? ''));
  if (asked.has('cert') !== asked.has('key')) refuse(texts.certificate);
  return {
    servers: hosts.split(',').map(readHost),
    tls: scheme === 'tls' || asked.has('ca') || asked.has('cert'),
    ...readCredentials(credentials),
    ...Object.fromEntries(files.flatMap((name) => (asked.get(name) ? [[name, asked.get(name)]] : []))),
    prefix,
    replicas,
    ackWaitMs: ackWait * 1000,
  };
}

function readHost(text: string, index: number): string {
  const [, host, port = String(defaultPort)] = hostShape.exec(text) ?? refuse(texts.host(index + 1));
  if (Number(port) < 1 || Number(port) > 65_535) refuse(texts.host(index + 1));
  return `${host}:${port}`;
}

function readCredentials(text: string | undefined): Pick<NatsAddress, 'user' | 'password' | 'token'> {
  if (!text) return {};
  const parts = text.split(':');
  if (parts.length > 2) refuse(texts.credentials);
  try {
    const [user = '', password] = parts.map(decodeURIComponent);
    return password === undefined ? { token: user } : { user, password };
  } catch {
    return refuse(texts.credentials);
  }
}

function refuse(sentence: string): never {
  throw new CodedError('CONFIG_INVALID', [sentence]);
}
