/** Who is at the other end of a connection, whatever headers say. */
import type { FastifyRequest } from 'fastify';

const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'] as const;

/** Whether the request comes from this machine itself, and not through a proxy that runs on it. */
export function isLocalCaller({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  const address = raw.socket.remoteAddress ?? '';
  const isLoopback = address === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
  return isLoopback && forwardingHeaders.every((name) => headers[name] === undefined);
}
