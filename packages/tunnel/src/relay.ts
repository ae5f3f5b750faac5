/** The way of an envelope from one edge to the other, whatever the two are made of. */
import { answer, Refusal, type Answer } from './answer.ts';
import { clientAddress } from './client-address.ts';
import { Intake, type Header } from './intake.ts';
import type { Settings } from './options.ts';

export interface Edge {
  readonly method: string;
  readonly header: Header;
  /** The address of the other end of the connection, where the server knows it. */
  readonly peer: string | undefined;
  /** Gives each piece of the body to `push`; ends reading when that throws, or after the time. Rejects with `Refusal`. */
  read(push: (chunk: Uint8Array<ArrayBuffer>) => void, timeoutMs: number): Promise<void>;
  /** Posts, without following redirects: they would lead to where nobody allowed us to send. Rejects after the time. */
  send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array<ArrayBuffer>,
    timeoutMs: number,
  ): Promise<{ readonly status: number; readonly header: Header }>;
}

/**
 * All that is passed on of a request. No cookies, no authorization, no referrer (its path may hold secrets); the origin,
 * because a project may list those it takes from.
 */
const passedOn = [
  'user-agent',
  'origin',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-model',
  'sec-ch-ua-platform',
  'sec-ch-ua-platform-version',
];

/** With these a monitor makes SDKs hold back. */
const passedBack = ['retry-after', 'x-sentry-rate-limits'];

/** Never rejects because of what was sent, or because the monitor is away. */
export async function relay(edge: Edge, settings: Settings): Promise<Answer> {
  let intake: Intake | undefined;
  try {
    intake = new Intake(edge.method, edge.header, settings);
    await edge.read(intake.push.bind(intake), settings.bodyTimeoutMs);
    const { body, target } = intake.finish();
    const answered = await edge.send(target, headersFor(edge, settings), body, settings.timeoutMs);
    return answerTo(answered.status, chosen(passedBack, answered.header), settings);
  } catch (error) {
    if (error instanceof Refusal) return answer(error.status, error.headers);
    settings.onError(error);
    return answer(502);
  } finally {
    intake?.release();
  }
}

function headersFor({ header, peer }: Edge, { trustedProxies }: Settings): Record<string, string> {
  const headers = chosen(passedOn, header);
  headers['content-type'] = 'application/x-sentry-envelope';
  const address = clientAddress(peer, header('x-forwarded-for') ?? '', trustedProxies);
  if (address) headers['x-forwarded-for'] = address;
  return headers;
}

function answerTo(status: number, limits: Record<string, string>, { onError }: Settings): Answer {
  if (status >= 200 && status < 300) return answer(200, limits);
  if (status === 429 || status === 413) return answer(status, limits);
  onError(new Error(`the monitor responded with ${status}`));
  return answer(502, limits);
}

function chosen(names: readonly string[], header: Header): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = header(name);
    if (value) headers[name] = value;
  }
  return headers;
}
