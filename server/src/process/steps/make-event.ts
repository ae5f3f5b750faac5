/** For tests only: an event as the steps get it, from the JSON of a client. */
import type { Event } from './event.ts';
import { asObject } from './json.ts';
import { normalizeEvent, type NormalizeInput } from './normalize/index.ts';
import { Remarks } from './remarks.ts';

export const receivedAt = Date.UTC(2026, 10, 21, 3, 0, 0);

export function makeEvent(raw: unknown, input: Partial<NormalizeInput> = {}, remarks: Remarks = new Remarks()): Event {
  // A copy, since steps change bags in place.
  const copy = asObject(structuredClone(raw)) ?? {};
  return normalizeEvent(copy, { receivedAt, makeEventId: () => 'a'.repeat(32), ...input }, remarks);
}
