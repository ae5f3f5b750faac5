/** Answers in the language of SDKs. Every one, refusals too, can be read by a page of any origin. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { CodedError } from '../base/errors.ts';
import { closeAfterAnswer, readOver } from '../base/read-over.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after, x-error-digest',
  // A page that isolates itself still gets to read the answer, and to load the image of the oldest clients.
  'cross-origin-resource-policy': 'cross-origin',
} as const;

const json = { ...cors, 'content-type': 'application/json' } as const;

export const preflight: Answer = {
  status: 200,
  headers: {
    ...cors,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers':
      'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, authorization, content-encoding, transfer-encoding',
    'access-control-max-age': '3600',
  },
  body: '',
};

/** `id` is the event's; without one the answer is an empty object. */
export function accepted(id: string | undefined, headers?: Readonly<Record<string, string>>): Answer {
  return {
    status: 200,
    headers: headers ? { ...json, ...headers } : json,
    body: id === undefined ? '{}' : `{"id":"${id}"}`,
  };
}

/** An answer of OTLP, in the sender's encoding; `headers` are those of the refusal that it says again. */
export function otlpAnswer(
  status: number,
  form: 'protobuf' | 'json',
  body: Buffer,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const type = form === 'json' ? 'application/json' : 'application/x-protobuf';
  return { status, headers: { ...cors, ...headers, 'content-type': type }, body };
}

export const acceptedEmpty: Answer = { status: 200, headers: cors, body: '' };

/** A script for a page of any origin; not kept, because what it shows is asked for in its address. */
export function script(body: string): Answer {
  const type = 'text/javascript; charset=utf-8';
  return {
    status: 200,
    headers: { ...cors, 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
    body,
  };
}

/** 1 × 1, transparent. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export const acceptedPixel: Answer = {
  status: 200,
  headers: { ...cors, 'content-type': 'image/gif', 'cache-control': 'no-store' },
  body: pixel,
};

/** `headers` are added: rate limits. `digest` is that of a refusal for which the server is to blame. */
export function refused(
  error: CodedError,
  { headers = {}, digest }: { headers?: Readonly<Record<string, string>> | undefined; digest?: string } = {},
): Answer {
  const causes = error.cause instanceof Error ? [error.cause.message] : [];
  return {
    status: error.status,
    headers: {
      ...json,
      'x-sentry-error': headerText(error.message),
      ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
      // The rest of the body will not come, or is not wanted: this connection cannot carry another request.
      ...(error.code === 'BODY_TIMEOUT' && { connection: 'close' }),
      ...(digest !== undefined && { 'x-error-digest': digest }),
      ...headers,
    },
    body: JSON.stringify({ detail: error.message, causes, code: error.code, digest }),
  };
}

/** What nobody expected: the client gets the digest under which the log has the details. */
export function failed(digest: string): Answer {
  const { status, message } = new CodedError('INTERNAL');
  return {
    status,
    headers: { ...json, 'x-sentry-error': headerText(`${message}: ${digest}`), 'x-error-digest': digest },
    body: JSON.stringify({ detail: message, causes: [], code: 'INTERNAL', digest }),
  };
}

export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (answer.headers['connection'] === 'close') closeAfterAnswer(request);
  response.writeHead(answer.status, STATUS_CODES[answer.status], {
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
  if (!request.complete) readOver(request);
}

/** What may stand in a header; the sentence may quote the client. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 500);
}
