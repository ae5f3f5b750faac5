/** Hands an envelope to the monitor and turns its answer into ours. */
import { answer, type Answer } from './answer.ts';
import { clientAddress } from './client-address.ts';
import type { Settings } from './options.ts';
import type { ReceivedEnvelope } from './receive.ts';
import type { Incoming } from './tunnel.ts';

/**
 * All that is passed on of a request. No cookies, no authorization, no referrer (its path may hold secrets); the origin,
 * because a project may list those it takes from.
 */
const requestHeaders = [
  'content-encoding',
  'user-agent',
  'origin',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-model',
  'sec-ch-ua-platform',
  'sec-ch-ua-platform-version',
];

/** With these a monitor makes SDKs hold back. */
const limitHeaders = ['retry-after', 'x-sentry-rate-limits'];

/** Of an answer that nobody reads; a longer one costs its connection. */
const maxAnswerBytes = 64 * 1024;

/** Rejects when the monitor does not answer in time. */
export async function forward(
  { body, target }: ReceivedEnvelope,
  request: Incoming,
  settings: Settings,
  peer: string | undefined,
): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/x-sentry-envelope' };
  for (const name of requestHeaders) {
    const value = request.headers.get(name);
    if (value) headers[name] = value;
  }
  const address = clientAddress(peer, request.headers.get('x-forwarded-for'), settings.trustedProxies);
  if (address) headers['x-forwarded-for'] = address;

  // A redirect is not followed: it would lead to where nobody allowed us to send.
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const response = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal });
  await discard(response);
  return answerTo(response, settings);
}

function answerTo({ status, headers, ok }: Response, settings: Settings): Answer {
  const limits: Record<string, string> = {};
  for (const name of limitHeaders) {
    const value = headers.get(name);
    if (value) limits[name] = value;
  }
  if (ok) return answer(200, limits);
  if (status === 429 || status === 413) return answer(status, limits);
  settings.onError(new Error(`the error monitor answered ${status}`));
  return answer(502, limits);
}

/** Read to the end, so that the connection can carry the next envelope. */
async function discard({ body }: Response): Promise<void> {
  if (!body) return;
  const reader = body.getReader();
  for (let size = 0; size <= maxAnswerBytes;) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.length;
  }
  await reader.cancel();
}
