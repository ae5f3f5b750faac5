/** `/store/`: one event a request, in every form that clients of the last fifteen years have used. */
import { inflateSync } from 'node:zlib';
import { createEventId, itemType, parseEventId } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';
import { eventBody } from '../base/texts/ingest.ts';
import { accepted, acceptedPixel, type Answer } from './answer.ts';
import { authOf, authorize } from './authorize.ts';
import { decompress, parseEncoding } from './decompress.ts';
import { acceptEnvelope, readIngestBody } from './envelope.ts';
import type { Exchange, Ingest } from './exchange.ts';
import { acceptMade, type MadeEnvelope } from './made-envelope.ts';

const maxEventBytes = itemType('event').maxBytes;
/** An event may come in base64, with every character of that percent-encoded. */
const maxTextBytes = 4 * maxEventBytes;

export async function takeStore(ingest: Ingest, exchange: Exchange): Promise<Answer> {
  const key = await authorize(ingest, exchange, authOf(exchange));
  const { method, headers } = exchange.request;
  if (method === 'GET') {
    const rateLimits = await acceptMade(ingest, exchange, key, [readEvent(formField(exchange.query))]);
    return rateLimits ? { ...acceptedPixel, headers: { ...acceptedPixel.headers, ...rateLimits } } : acceptedPixel;
  }
  const body = await readIngestBody(ingest, exchange);
  const contentType = headers['content-type']?.toLowerCase() ?? '';
  if (contentType.startsWith('application/x-sentry-envelope')) return acceptEnvelope(ingest, exchange, body);

  const encoding = parseEncoding(headers['content-encoding']);
  const text = encoding === '' ? body : decompress(body, encoding, maxTextBytes);
  if (text === undefined || text.length > maxTextBytes) throw tooLarge();
  const isForm = contentType.startsWith('application/x-www-form-urlencoded') && text.includes('sentry_data=');
  const event = readEvent(isForm ? formField(text.toString()) : text);
  return accepted(event.eventId, await acceptMade(ingest, exchange, key, [event]));
}

/** JSON, or base64 of JSON, or base64 of zlib of JSON. Throws STORE_MALFORMED, ITEM_TOO_LARGE. */
function readEvent(text: Buffer): MadeEnvelope {
  const payload = isObjectText(text) ? text : unpacked(Buffer.from(text.toString('latin1'), 'base64'));
  if (payload.length > maxEventBytes) throw tooLarge();
  const event = parseObject(payload);
  return {
    eventId: parseEventId(event['event_id']) ?? createEventId(),
    item: { header: { type: event['type'] === 'transaction' ? 'transaction' : 'event' }, payload },
  };
}

function unpacked(bytes: Buffer): Buffer {
  if (isObjectText(bytes)) return bytes;
  try {
    return inflateSync(bytes, { maxOutputLength: maxEventBytes });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new CodedError('STORE_MALFORMED', [eventBody.unreadable], {
      cause: error,
    });
  }
}

function parseObject(payload: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString());
  } catch (error) {
    throw new CodedError('STORE_MALFORMED', [eventBody.notJson], { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new CodedError('STORE_MALFORMED', [eventBody.notObject]);
}

/** `sentry_data` of a form or a query. Where a client forgot to encode the `+` of base64, it has become a blank. */
function formField(text: string): Buffer {
  const field = new URLSearchParams(text).get('sentry_data');
  if (!field) throw new CodedError('STORE_MALFORMED', [eventBody.noField]);
  const trimmed = field.trim();
  return Buffer.from(trimmed.startsWith('{') ? trimmed : trimmed.replaceAll(' ', '+'));
}

function isObjectText(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return bytes[at] === 0x7b;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function tooLarge(): CodedError {
  return new CodedError('ITEM_TOO_LARGE', ['event', eventBody.moreThan(maxEventBytes), maxEventBytes]);
}
