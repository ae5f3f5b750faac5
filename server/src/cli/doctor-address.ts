/**
 * What `culprit doctor` finds of the public address, by asking it from this machine: whether it leads here, and what a
 * proxy on the way does to host, scheme and client address, to large bodies, and to answers that come in parts.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Config } from '../base/config.ts';
import { doctor as texts } from '../base/texts/cli.ts';
import { gapMs, type Seen, seenHeader } from '../web/seen.ts';
import type { Finding } from './doctor.ts';

type Found = Omit<Finding, 'what'>;

const timeoutMs = 8_000;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly date: string | undefined;
  /** Between the first part of the body and its end, ms. */
  readonly spreadMs: number;
}

/** Resolves to the first answer, also where it comes before all is sent. */
function ask(url: URL, headers: Record<string, string>, body?: Buffer): Promise<Answer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const read = (answer: IncomingMessage): void => {
      let text = '';
      let first: number | undefined;
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        first ??= performance.now();
        // Nobody needs the page of a stranger.
        if (text.length < 65_536) text += part;
      });
      answer.once('error', reject);
      answer.once('end', () => {
        const spreadMs = first === undefined ? 0 : performance.now() - first;
        resolve({ status: answer.statusCode ?? 0, text, date: answer.headers.date, spreadMs });
      });
    };
    const method = body ? 'POST' : 'GET';
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = send(url, { method, headers, agent: false, signal }, read);
    sent.once('error', reject);
    sent.end(body);
  });
}

function seenIn({ text }: Answer): Seen | undefined {
  try {
    const { seen } = JSON.parse(text) as { seen?: Partial<Seen> };
    return typeof seen?.origin === 'string' && seen.client ? { origin: seen.origin, client: seen.client } : undefined;
  } catch {
    return undefined;
  }
}

export interface AddressFindings {
  readonly findings: readonly Found[];
  /** Of the clock behind the address, ms; undefined where it was not reached. */
  readonly aheadMs?: number;
}

const ok = (detail: string): Found => ({ state: 'ok', detail });
const warning = (detail: string): Found => ({ state: 'warning', detail });

/** `listening`: where the server itself listens; what is wrong first, then what to know. */
export async function checkAddress(config: Config, listening: string): Promise<AddressFindings> {
  if (!config.url) return { findings: [ok(texts.addressUnset)] };
  const url = new URL(`${config.url}/`);
  const isDirect = url.protocol === 'http:' && url.port === new URL(listening).port;
  const at = (path: string): URL => new URL(path, url);
  let answer: Answer;
  const asked = Date.now();
  try {
    answer = await ask(at('healthz'), { [seenHeader]: '1' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { findings: [warning(texts.addressUnreachable(config.url, reason))] };
  }
  const aheadMs = answer.date ? Date.parse(answer.date) + 500 - (asked + Date.now()) / 2 : undefined;
  const seen = seenIn(answer);
  if (!seen) return { findings: [{ state: 'failed', detail: texts.addressStranger(config.url, answer.status) }] };
  const wrong: Found[] = [];
  if (seen.origin !== url.origin) wrong.push(warning(texts.originLost(seen.origin, url.origin)));
  if (!isDirect && seen.client === 'peer') wrong.push(warning(texts.clientLost));
  if (seen.client === 'untrusted') wrong.push(warning(texts.clientUntrusted));
  if (answer.spreadMs < gapMs / 2) wrong.push(warning(texts.buffered));
  const refused = await refusesBody(at('api/0/envelope/'), config.maxBodyBytes);
  if (refused !== undefined) wrong.push(warning(texts.bodyRefused(refused, config.maxBodyBytes)));
  const findings = wrong.length ? wrong : [ok(texts.address(config.url, isDirect))];
  return { findings, ...(aheadMs !== undefined && !isDirect && { aheadMs }) };
}

/** The status where it is not the server that refuses a body of the largest size; its own answers are JSON. */
async function refusesBody(url: URL, bytes: number): Promise<number | undefined> {
  try {
    const { status, text } = await ask(url, { 'content-type': 'application/x-sentry-envelope' }, Buffer.alloc(bytes));
    return status === 413 && !text.startsWith('{') ? status : undefined;
  } catch {
    // The connection was closed while the body was sent; who closes it has answered before or is not asked again.
    return undefined;
  }
}
