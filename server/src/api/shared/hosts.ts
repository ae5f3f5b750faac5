/**
 * Under which names this server takes what a browser's cookie proves. A page of another site can give its own name our
 * address (DNS rebinding), and is then of the same origin; but it cannot choose what `Host` says.
 */
import type { FastifyRequest } from 'fastify';
import { CodedError } from '../../base/errors.ts';

export interface OwnHosts {
  readonly getUrl: () => string;
  /** `name`, `name:port` or `*.name`, in lower case. */
  readonly allowed: readonly string[];
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Throws `HOST_NOT_ALLOWED` unless the request came under a name of this installation. */
export function checkHost(request: FastifyRequest, own: OwnHosts): void {
  const { headers, socket } = request;
  // What a proxy was asked for counts as well, not instead: a page can make up any header but Host.
  for (const host of new Set([headers.host ?? '', request.host])) {
    if (!isOwnHost(host, own, socket.localPort)) throw new CodedError('HOST_NOT_ALLOWED', [host.slice(0, 253)]);
  }
}

/** `listening` is the port that the request came to; undefined where it came over no network. */
export function isOwnHost(host: string, { getUrl, allowed }: OwnHosts, listening: number | undefined): boolean {
  const [, name = '', port] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(host.toLowerCase()) ?? [];
  if (name === '') return false;
  if (loopback.has(name) && (listening === undefined || Number(port ?? 80) === listening)) return true;
  const publicUrl = URL.canParse(getUrl()) ? new URL(getUrl()) : undefined;
  // Proxies may leave the port out.
  if (name === publicUrl?.hostname && (port === undefined || Number(port) === portOf(publicUrl))) return true;
  return allowed.some((entry) => {
    const [, suffix, entryName = '', entryPort] = /^(\*)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    if (entryPort !== undefined && entryPort !== port) return false;
    return suffix === undefined ? name === entryName : name.endsWith(entryName) && name.length > entryName.length;
  });
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
