/** One request on a connection, and the beginning of its answer. */
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { outbound as texts } from '../texts/outbound.ts';
import { OutboundError } from './errors.ts';

export interface OutboundAnswer {
  readonly status: number;
  /** Its beginning. */
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly contentType?: string | undefined;
  /** `X-Sentry-Rate-Limits`, of servers that take events. */
  readonly rateLimits?: string | undefined;
  readonly headers?: IncomingHttpHeaders;
  /** Where it would have gone on, of a redirect that was not followed. */
  readonly location: string | undefined;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A connection for this request alone, or one that its agent keeps for the next. */
type Way = { readonly socket: Socket } | { readonly agent: Agent };

interface Limits {
  readonly signal: AbortSignal;
  /** What the signal stands for, in the sentence of its failure. */
  readonly totalMs: number;
  /** Of the answer; the rest is not read. */
  readonly maxAnswerBytes: number;
}

/** Throws `OutboundError`. */
export function exchange(
  { method, url, headers, body }: Request,
  way: Way,
  { signal, totalMs, maxAnswerBytes }: Limits,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      if (error instanceof OutboundError) {
        reject(error);
        return;
      }
      const why = signal.aborted
        ? texts.noResponse(totalMs / 1000)
        : texts.cutOff(error instanceof Error ? error.message : String(error));
      reject(new OutboundError('sent', why, { cause: error }));
    };
    const request = httpRequest({
      ...('agent' in way
        ? { agent: way.agent, host: url.hostname, port: url.port }
        : { createConnection: () => way.socket }),
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        'user-agent': 'culprit',
        ...headers,
        ...(method === 'POST' && { 'content-length': Buffer.byteLength(body) }),
        connection: 'agent' in way ? 'keep-alive' : 'close',
      },
      setHost: false,
      maxHeaderSize: 16_384,
      signal,
    });
    request.once('error', fail);
    // An answer that is none; without a listener the call would never come to an end.
    request.on('upgrade', ({ statusCode = 101 }, upgraded) => {
      upgraded.destroy();
      resolve({ status: statusCode, body: '', retryAfter: undefined, location: undefined });
    });
    request.on('response', (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      const finish = (): void => resolve(answerOf(response, Buffer.concat(pieces).subarray(0, maxAnswerBytes)));
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size < maxAnswerBytes) return;
        finish();
        request.destroy();
      });
      response.on('end', finish);
      // The status has been said; that the rest did not come changes nothing about it.
      request.off('error', fail).on('error', finish);
      response.on('error', finish);
      response.on('close', finish);
    });
    request.end(method === 'POST' ? body : undefined);
  });
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: Buffer): OutboundAnswer {
  const rateLimits = headers['x-sentry-rate-limits'];
  return {
    status: statusCode,
    body: body.toString('utf8'),
    retryAfter: headers['retry-after'],
    contentType: headers['content-type'],
    rateLimits: [rateLimits ?? []].flat().join(', ') || undefined,
    headers,
    location: headers.location,
  };
}
