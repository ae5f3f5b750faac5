/**
 * One HTTP call to an address that a user gave. It goes to http and https only, to public addresses and those that the
 * owner allows, keeps no cookies, and is bounded in time and in what it reads.
 */
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { outbound as texts } from '../texts/outbound.ts';
import { type AllowList, parseAllowList } from './allow-list.ts';
import { connect } from './connect.ts';
import { OutboundError } from './errors.ts';
import { type Lookup, lookupSystem, resolveTarget } from './target.ts';

export interface OutboundCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** It carries a signature or a key: it is repeated at no other origin. */
  readonly confined: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Its beginning. */
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly contentType?: string | undefined;
  /** Where it would have gone on, of a redirect that was not followed. */
  readonly location: string | undefined;
}

export interface OutboundOptions {
  readonly allow?: AllowList | undefined;
  readonly lookup?: Lookup | undefined;
  /** Until the connection stands, ms. */
  readonly connectMs?: number;
  /** For everything, ms. */
  readonly totalMs?: number;
  /** Of the answer; the rest is not read. */
  readonly maxAnswerBytes?: number;
  /** PEM of further authorities, for tests. */
  readonly authority?: string | undefined;
  /** Awaited once the connection stands, before the first byte of the request. What it throws ends the call. */
  readonly beforeSending?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const maxRedirects = 3;
const nobody = parseAllowList('');

export const outboundDefaults = { connectMs: 5_000, totalMs: 15_000, maxAnswerBytes: 16_384 } as const;

/** Throws `OutboundError` with the stage that it reached; what `beforeSending` throws comes out as it is. */
export async function callOutside(call: OutboundCall, options: OutboundOptions = {}): Promise<OutboundAnswer> {
  const { connectMs, totalMs } = { ...outboundDefaults, ...options };
  const deadline = AbortSignal.timeout(totalMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  const allow = options.allow ?? nobody;
  const origin = URL.canParse(call.url) ? new URL(call.url).origin : '';
  let url = call.url;
  let hasSent = false;
  for (let redirects = 0; ; redirects += 1) {
    const target = await stopped(resolveTarget(url, { allow, lookup: options.lookup ?? lookupSystem }), signal);
    const socket = await connect(target, { allow, timeoutMs: connectMs, authority: options.authority, signal });
    let answer: OutboundAnswer;
    try {
      if (!hasSent) await options.beforeSending?.();
      hasSent = true;
      answer = await exchange(call, target.url, socket, { ...options, signal, totalMs });
    } finally {
      socket.destroy();
    }
    // The others turn a POST into a GET, which tells nobody anything.
    const isRepeat = answer.status === 307 || answer.status === 308;
    if (!isRepeat || answer.location === undefined || redirects === maxRedirects) return answer;
    const next = URL.canParse(answer.location, url) ? new URL(answer.location, url) : undefined;
    if (!next || (call.confined && next.origin !== origin)) return answer;
    url = next.href;
  }
}

/** A name that is slow to resolve cannot be called off; it is no longer waited for. */
function stopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new OutboundError('connect', texts.notResolved));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function exchange(
  { method, headers, body }: OutboundCall,
  url: URL,
  socket: Socket,
  { maxAnswerBytes = outboundDefaults.maxAnswerBytes, signal, totalMs }: OutboundOptions & { readonly totalMs: number },
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      const why = signal?.aborted
        ? texts.noResponse(totalMs / 1000)
        : texts.cutOff(error instanceof Error ? error.message : String(error));
      reject(new OutboundError('sent', why, { cause: error }));
    };
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        'user-agent': 'culprit',
        ...headers,
        ...(method === 'POST' && { 'content-length': Buffer.byteLength(body) }),
        connection: 'close',
      },
      setHost: false,
      maxHeaderSize: 16_384,
      ...(signal && { signal }),
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
      const finish = (): void => {
        const { location } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(pieces).subarray(0, maxAnswerBytes).toString('utf8'),
          retryAfter: response.headers['retry-after'],
          contentType: response.headers['content-type'],
          location,
        });
      };
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
