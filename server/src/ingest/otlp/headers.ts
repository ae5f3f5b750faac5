/** What the headers of an OTLP request say: whose it is, and how it is encoded. */
import { type AuthResult, readAuth } from '@culprit/envelope';
import { CodedError } from '../../base/errors.ts';
import type { WireForm } from '../../base/otlp/index.ts';
import type { Exchange } from '../exchange.ts';

const bareKey = /^\s*(?:bearer|sentry)\s+([0-9a-f]{32})\s*$/i;

/**
 * Everywhere that SDKs put the key, and as a token: `Authorization: Bearer <public key>`, which every exporter can be
 * told to send.
 */
export function authOfOtlp({ request: { headers }, query }: Exchange): AuthResult {
  const bare = bareKey.exec(headers.authorization ?? '')?.[1];
  return readAuth({
    xSentryAuth: headers['x-sentry-auth'],
    authorization: bare === undefined ? headers.authorization : undefined,
    query,
    pathKey: bare,
  });
}

const forms: ReadonlyMap<string, WireForm> = new Map([
  ['application/x-protobuf', 'protobuf'],
  ['application/protobuf', 'protobuf'],
  ['application/json', 'json'],
]);

/** Undefined for content types that are none of OTLP. */
export function formOf(exchange: Exchange): WireForm | undefined {
  return forms.get(contentType(exchange));
}

/** Throws OTLP_CONTENT_TYPE. */
export function requireForm(exchange: Exchange): WireForm {
  const form = formOf(exchange);
  if (form) return form;
  throw new CodedError('OTLP_CONTENT_TYPE', [JSON.stringify(contentType(exchange).slice(0, 100))]);
}

function contentType({ request }: Exchange): string {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
