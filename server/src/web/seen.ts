/**
 * How a request looks from here, for `culprit doctor`: a proxy shows by it what it passes on. It tells callers what they
 * said themselves, no address among it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Requests to `/healthz` with this header are answered so. */
export const seenHeader = 'x-culprit-seen';

/** Between the two parts of the answer, ms: a proxy that keeps answers back sends both at once. */
export const gapMs = 400;

export interface Seen {
  /** Scheme, host and port, as links would have them. */
  readonly origin: string;
  /** Where the client's address comes from: the connection, a header of a trusted proxy, or a header of somebody else. */
  readonly client: 'peer' | 'forwarded' | 'untrusted';
}

export function seenOf(request: FastifyRequest): Seen {
  const { headers, ip, raw, protocol, host } = request;
  const isForwarded = headers['x-forwarded-for'] !== undefined;
  const isTrusted = (request.ips?.length ?? 0) > 1 || ip !== raw.socket.remoteAddress;
  return { origin: `${protocol}://${host}`, client: !isForwarded ? 'peer' : isTrusted ? 'forwarded' : 'untrusted' };
}

async function* inParts(text: string): AsyncGenerator<string> {
  yield ' ';
  await sleep(gapMs);
  yield text;
}

export function answerSeen(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(inParts(JSON.stringify({ status: 'ok', seen: seenOf(request) }))));
}
