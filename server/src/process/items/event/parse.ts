/** From payload bytes to a normalised event. */
import { hash } from 'node:crypto';
import { decodeJson } from '../../steps/decode.ts';
import type { Event } from '../../steps/event.ts';
import { asObject, type JsonObject } from '../../steps/json.ts';
import { normalizeEvent } from '../../steps/normalize/index.ts';
import type { Remarks } from '../../steps/remarks.ts';
import type { ItemContext } from '../../types.ts';

export type Parsed =
  | { readonly ok: true; readonly event: Event }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

export function parseEvent(payload: Uint8Array, context: ItemContext, remarks: Remarks): Parsed {
  const decoded = decodeJson(payload);
  if (!decoded.ok) return decoded;
  const raw = asObject(decoded.value);
  if (!raw) return { ok: false, reason: 'not_an_object', detail: 'the event is no JSON object' };
  for (const remark of decoded.remarks) remarks.error('invalid_data', 'payload', remark);
  return { ok: true, event: normalize(raw, payload, context, remarks) };
}

export function normalize(raw: JsonObject, payload: Uint8Array, context: ItemContext, remarks: Remarks): Event {
  const { receivedAt, sentAt, envelopeEventId: eventId, projectId } = context;
  // Not random: a batch that is computed again must give the same rows.
  const makeEventId = (): string =>
    hash('sha256', Buffer.concat([Buffer.from(`${projectId}:${receivedAt}:`), payload]), 'hex').slice(0, 32);
  return normalizeEvent(raw, { receivedAt, sentAt, eventId, makeEventId }, remarks);
}
