import type { FastifyReply } from 'fastify';

/**
 * Aborts when whoever asked hangs up before the answer. Of calls with a body: the request's own signal ends once that was
 * read, too.
 */
export function leavingOf({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}
