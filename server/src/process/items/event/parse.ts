/** From payload bytes to a normalised event. */
import { hash } from 'node:crypto';
import { decodeJson } from '../../steps/decode.ts';
import type { Event } from '../../steps/event.ts';
import { asObject, type JsonObject } from '../../steps/json.ts';
import { normalizeEvent } from '../../steps/normalize/index.ts';
import { Remarks } from '../../steps/remarks.ts';
import { hasOwnRules } from '../../steps/scrub/index.ts';
import { Taking } from '../../steps/taking.ts';
import type { ItemContext } from '../../types.ts';
import { eventProblems } from '../../../base/texts/events.ts';

export type Parsed =
  | {
      readonly ok: true;
      readonly event: Event;
      readonly remarks: Remarks;
      /** What of it was looked for among what is known. */
      readonly taking: Taking | undefined;
    }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

/** `ownStacks`: its frames may be changed, so no other event may have them. */
export function parseEvent(payload: Uint8Array, context: ItemContext, ownStacks: boolean): Parsed {
  // What rules of the project's own find depends on where it stands: no event has parts of another one then.
  if (hasOwnRules(context.settings)) return parse(payload, context, undefined);
  const taking = new Taking(context.settings, ownStacks);
  const parsed = parse(payload, context, taking);
  // Damage is told from the text as it came.
  return parsed.ok && taking.allPlaced ? parsed : parse(payload, context, undefined);
}

function parse(payload: Uint8Array, context: ItemContext, taking: Taking | undefined): Parsed {
  const decoded = taking ? decodeJson(payload, undefined, (text) => taking.parse(text)) : decodeJson(payload);
  if (!decoded.ok) return decoded;
  const raw = asObject(decoded.value);
  if (!raw) return { ok: false, reason: 'not_an_object', detail: eventProblems.notObject };
  const remarks = new Remarks();
  for (const remark of decoded.remarks) remarks.error('invalid_data', 'payload', remark);
  return { ok: true, event: normalize(raw, payload, context, remarks, taking), remarks, taking };
}

export function normalize(
  raw: JsonObject,
  payload: Uint8Array,
  context: ItemContext,
  remarks: Remarks,
  taking?: Taking,
): Event {
  const { receivedAt, sentAt, envelopeEventId: eventId, projectId } = context;
  const anyAge = context.imported !== undefined;
  // Not random: a batch that is computed again must give the same rows.
  const makeEventId = (): string =>
    hash('sha256', Buffer.concat([Buffer.from(`${projectId}:${receivedAt}:`), payload]), 'hex').slice(0, 32);
  return normalizeEvent(raw, { receivedAt, sentAt, anyAge, eventId, makeEventId, taking }, remarks);
}
