/**
 * The usual request, taken before Fastify sees it: routing, its request, reply and listeners would take longer than all
 * that ingestion does until the body is there. What is not plainly an envelope of an SDK goes the ordinary way.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';

/** False where the request is left to Fastify. */
export type TakeDirectly = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface EnvelopePath {
  readonly project: string;
  /** Without `?`, still encoded. */
  readonly query: string;
}

const pattern = /^\/api\/(\d{1,19})\/envelope\/?(?:\?(.*))?$/;

export function envelopePath({ method, url = '', headers }: IncomingMessage): EnvelopePath | undefined {
  const match = method === 'POST' ? pattern.exec(url) : null;
  return match && !isForwarded(headers) ? { project: match[1] ?? '', query: match[2] ?? '' } : undefined;
}

/** Whether a proxy says something of the client, and whether that is believed, only Fastify knows. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers['x-forwarded-host'] !== undefined ||
    headers['x-forwarded-proto'] !== undefined
  );
}

export function takeFirst(server: Server, take: TakeDirectly): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (take(request, response)) return;
    for (const listener of others) Reflect.apply(listener, server, [request, response]);
  });
}
