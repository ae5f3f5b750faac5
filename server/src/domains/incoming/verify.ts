/**
 * Whether a request comes from who knows the secret, as each provider shows it. Comparisons take the same time for any
 * text.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { signature, signingSecret } from '../../base/outbound/index.ts';
import { incoming as texts } from '../../base/texts/incoming.ts';
import type { IncomingProvider } from './types.ts';

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export const headerOf = (headers: RequestHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** By their hashes: texts of any length. */
function same(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

const hmac = (algorithm: 'sha1' | 'sha256', secret: string, content: string | Buffer) =>
  createHmac(algorithm, secret).update(content);

interface Signed {
  readonly headers: RequestHeaders;
  readonly body: Buffer;
  readonly now: number;
}

interface Way {
  readonly header: string;
  /** Where the provider knows two. */
  readonly other?: string;
  readonly isRight: (given: string, signed: Signed, secret: string) => boolean;
  readonly wrong: (header: string) => string;
}

const ways: Readonly<Record<IncomingProvider, Way>> = {
  github: {
    header: 'X-Hub-Signature-256',
    isRight: (given, { body }, secret) =>
      same(given.toLowerCase(), `sha256=${hmac('sha256', secret, body).digest('hex')}`),
    wrong: texts.wrongSignature,
  },
  gitlab: {
    header: 'X-Gitlab-Token',
    other: 'Webhook-Signature',
    isRight: (given, signed, secret) =>
      same(headerOf(signed.headers, 'x-gitlab-token'), secret) || isRightStandard(given, signed, secret),
    wrong: (header) => (header === 'X-Gitlab-Token' ? texts.wrongToken(header) : texts.wrongSignature(header)),
  },
  vercel: {
    header: 'X-Vercel-Signature',
    isRight: (given, { body }, secret) => same(given.toLowerCase(), hmac('sha1', secret, body).digest('hex')),
    wrong: texts.wrongSignature,
  },
  netlify: { header: 'X-Webhook-Signature', isRight: isRightJws, wrong: texts.wrongSignature },
};

/** How far a provider's clock may be off. */
const clockMs = 300_000;

/** As Standard Webhooks say: GitLab with a signing token. One of several signatures will do. */
function isRightStandard(given: string, { headers, body, now }: Signed, secret: string): boolean {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!signingSecret.test(secret) || id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  const right = signature(secret, id, Number(timestamp), body);
  const all = given.split(' ').slice(0, 10);
  const isOne = all.map((one) => same(one, right)).includes(true);
  return isOne && Math.abs(now - Number(timestamp) * 1_000) <= clockMs;
}

/** A JWS with HS256 and no other algorithm, of who sent it and of the hash of the body. */
function isRightJws(given: string, { body }: Signed, secret: string): boolean {
  const [head = '', claims = '', signature = '', ...more] = given.split('.');
  if (more.length > 0 || signature === '') return false;
  if (!same(signature, hmac('sha256', secret, `${head}.${claims}`).digest('base64url'))) return false;
  const { alg } = jsonIn(head);
  const { iss, sha256 } = jsonIn(claims);
  const hash = createHash('sha256').update(body).digest('hex');
  return alg === 'HS256' && iss === 'netlify' && typeof sha256 === 'string' && same(sha256.toLowerCase(), hash);
}

function jsonIn(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What is wrong, in words; undefined for nothing. Any of the secrets will do. */
export function signatureProblem(
  provider: IncomingProvider,
  headers: RequestHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: number,
): string | undefined {
  const { header: usual, other, isRight, wrong } = ways[provider];
  const header = other !== undefined && headerOf(headers, other.toLowerCase()) !== '' ? other : usual;
  const given = headerOf(headers, header.toLowerCase());
  if (given === '') return texts.unsigned(header);
  // All are compared, so that the time says nothing of which one it was.
  const right = secrets.map((secret) => isRight(given, { headers, body, now }, secret));
  return right.includes(true) ? undefined : wrong(header);
}
