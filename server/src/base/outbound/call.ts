/**
 * One HTTP call to an address that a user gave. It goes to http and https only, to public addresses and those that the
 * owner allows, keeps no cookies, and is bounded in time and in what it reads.
 */
import { outbound as texts } from '../texts/outbound.ts';
import { type AllowList, parseAllowList } from './allow-list.ts';
import { connect } from './connect.ts';
import { OutboundError } from './errors.ts';
import { exchange, type OutboundAnswer } from './exchange.ts';
import { type Lookup, lookupSystem, resolveTarget } from './target.ts';

export interface OutboundCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** It carries a signature or a key: it is repeated at no other origin. */
  readonly confined: boolean;
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
      const { maxAnswerBytes } = { ...outboundDefaults, ...options };
      const request = { ...call, url: target.url };
      answer = await exchange(request, { socket }, { signal, totalMs, maxAnswerBytes });
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
