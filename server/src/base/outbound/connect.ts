/** Connections to addresses that were checked, and to no other. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates } from 'node:tls';
import { outbound as texts } from '../texts/outbound.ts';
import { isPublicAddress } from './addresses.ts';
import type { AllowList } from './allow-list.ts';
import { OutboundError } from './errors.ts';
import type { Target } from './target.ts';

export interface ConnectOptions {
  readonly allow: AllowList;
  /** ms for all addresses together, TLS included. */
  readonly timeoutMs: number;
  /** PEM of further authorities, for tests. */
  readonly authority?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The first address that answers. The socket is ready to be written to; with https, its certificate was checked. */
export async function connect(target: Target, options: ConnectOptions): Promise<Socket> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  let failure: unknown;
  for (const address of target.addresses) {
    try {
      return await connectTo(target, address, options, signal);
    } catch (error) {
      failure = error;
      if (signal.aborted) break;
    }
  }
  const why = deadline.aborted
    ? texts.noConnection(options.timeoutMs / 1000)
    : failure instanceof Error
      ? failure.message
      : String(failure);
  throw new OutboundError('connect', texts.atHost(target.host, why), { cause: failure });
}

async function connectTo(
  { url, host, port }: Target,
  address: string,
  { allow, authority }: ConnectOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connectTcp({ host: address, port, noDelay: true });
  // Without a listener an error that comes late would end the process.
  socket.on('error', () => {});
  try {
    await opened(socket, 'connect', signal);
    const actual = socket.remoteAddress ?? '';
    if (!isPublicAddress(actual) && !allow.allows(host, actual, port)) {
      throw new OutboundError('refused', texts.notPublic(actual));
    }
    if (url.protocol === 'http:') return socket;
    const secure = connectTls({
      socket,
      // The name that its certificate must have; else it would be `localhost` where an address has no other.
      host,
      ...(isIP(host) ? {} : { servername: host }),
      ALPNProtocols: ['http/1.1'],
      ...(authority && { ca: [...rootCertificates, authority] }),
    });
    secure.on('error', () => {});
    await opened(secure, 'secureConnect', signal);
    return secure;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown): void => {
      socket.off(event, onOpen);
      socket.off('error', settle);
      socket.off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onOpen = (): void => settle();
    const onClose = (): void => settle(new Error('the connection was closed'));
    const onAbort = (): void => settle(signal.reason);
    socket.once(event, onOpen);
    socket.once('error', settle);
    socket.once('close', onClose);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}
