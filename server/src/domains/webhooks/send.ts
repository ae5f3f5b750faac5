/** One attempt: signed twice, as Sentry's integration platform signs and as Standard Webhooks do, and what came of it. */
import { createHmac, randomUUID } from 'node:crypto';
import {
  type AllowList,
  callOutside,
  type Lookup,
  type OutboundAnswer,
  OutboundError,
  signature,
  signedHeaders,
} from '../../base/outbound/index.ts';
import { webhookTexts } from '../../base/texts/webhooks.ts';
import type { Try } from './log.ts';

const keptAnswer = 1_000;

export interface Outgoing {
  readonly url: string;
  /** The newest first; each signs, Sentry's signature is the newest one's. */
  readonly secrets: readonly [string, ...string[]];
  readonly uuid: string;
  readonly resource: string;
  readonly body: string;
}

export interface Sent {
  readonly attempt: Try;
  /** `gone`: nobody wants any more of them. */
  readonly outcome: 'sent' | 'retry' | 'failed' | 'gone';
  /** As the receiver asks. */
  readonly afterMs?: number | undefined;
}

export interface SendTools {
  readonly allow: AllowList;
  readonly lookup?: Lookup | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The timestamp is of the attempt; in `webhook-signature` it is signed, too, so that an old request is told from a new one. */
export function headersOf({ secrets, uuid, resource, body }: Outgoing, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const [newest] = secrets;
  return {
    ...signedHeaders(newest, uuid, nowMs, body),
    'webhook-signature': secrets.map((secret) => signature(secret, uuid, seconds, body)).join(' '),
    'request-id': randomUUID().replaceAll('-', ''),
    'sentry-hook-resource': resource,
    'sentry-hook-timestamp': String(seconds),
    'sentry-hook-signature': createHmac('sha256', newest).update(body).digest('hex'),
  };
}

export async function send(outgoing: Outgoing, { allow, lookup, signal }: SendTools): Promise<Sent> {
  const at = Date.now();
  const call = {
    method: 'POST',
    url: outgoing.url,
    headers: headersOf(outgoing, at),
    body: outgoing.body,
    confined: true,
  } as const;
  try {
    const answer = await callOutside(call, { allow, lookup, signal, totalMs: 10_000 });
    const { outcome, why, afterMs } = judge(answer);
    const attempt = { at, status: answer.status, durationMs: Date.now() - at, answer: excerpt(answer.body), why };
    return { attempt, outcome, afterMs };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const why = error.stage === 'refused' ? error.message : webhookTexts.noAnswer(error.message);
    const attempt = { at, status: null, durationMs: Date.now() - at, answer: '', why };
    return { attempt, outcome: error.stage === 'refused' ? 'failed' : 'retry' };
  }
}

/** Lines stay; other control characters do not. */
const excerpt = (text: string): string => text.slice(0, keptAnswer).replaceAll(/(?!\n)\p{Cc}/gu, ' ');

/** All but a redirect is tried again: what a receiver refuses today it may take when it was repaired. */
function judge({ status, location, retryAfter }: OutboundAnswer): {
  readonly outcome: Sent['outcome'];
  readonly why: string;
  readonly afterMs?: number | undefined;
} {
  if (status >= 200 && status < 300) return { outcome: 'sent', why: '' };
  if (status === 410) return { outcome: 'gone', why: webhookTexts.gone };
  if (status >= 300 && status < 400) {
    return { outcome: 'failed', why: webhookTexts.redirected((location ?? '').slice(0, 200)) };
  }
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  return {
    outcome: 'retry',
    why: webhookTexts.status(status),
    afterMs: seconds === undefined ? undefined : seconds * 1_000,
  };
}
