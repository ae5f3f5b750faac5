/**
 * Items that are kept as they came: of types that no part shows yet, of unknown types, and those that could not be
 * processed. JSON is scrubbed by the project's rules; binary and large payloads go to the blob store.
 */
import { itemQuantity, itemType, type ItemHeader } from '@culprit/envelope';
import type { ItemRow } from '../../../events/tables.ts';
import { decodeJson } from '../../steps/decode.ts';
import type { BagLimit } from '../../steps/limits.ts';
import { Remarks } from '../../steps/remarks.ts';
import { BagCleaner, scrubRules } from '../../steps/scrub/index.ts';
import type { ItemContext, ItemResult, Outcome } from '../../types.ts';

export interface ReceivedItem {
  readonly type: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Uint8Array;
}

/** Larger payloads are blobs. */
const maxRowBytes = 64 * 1024;
const keptLimit: BagLimit = { maxSize: 4 * maxRowBytes, maxDepth: 40, maxText: maxRowBytes };

/** Accepts an item without looking into it further. */
export function processKept(item: ReceivedItem, context: ItemContext): ItemResult {
  const type = itemType(item.type);
  const quantity = itemQuantity(type, toHeader(item));
  const outcome: Outcome = type.known ? { kind: 'accepted' } : { kind: 'invalid', reason: 'unknown_type' };
  return {
    outcomes: [{ category: type.category, outcome, quantity }],
    kept: [keep(item, context, type.category, outcome)],
  };
}

/** Counts one outcome for an item and keeps it with the reason, so that nothing is thrown away unseen. */
export function keepAside(item: ReceivedItem, context: ItemContext, category: string, outcome: Outcome): ItemResult {
  return { outcomes: [{ category, outcome, quantity: 1 }], kept: [keep(item, context, category, outcome)] };
}

type Kept = NonNullable<ItemResult['kept']>[number];

/** `blob_key` stays '' here: whoever stores the blob names it. */
function keep(item: ReceivedItem, context: ItemContext, category: string, outcome: Outcome): Kept {
  const { payload } = item;
  const row: ItemRow = {
    project_id: context.projectId,
    received_at: context.receivedAt,
    item_type: item.type.slice(0, 64).toWellFormed(),
    category,
    outcome: outcome.kind,
    reason: outcome.kind === 'accepted' ? '' : outcome.reason,
    detail: outcome.kind === 'accepted' ? '' : (outcome.detail ?? '').slice(0, 1000).toWellFormed(),
    event_id: context.envelopeEventId ?? '',
    headers: headersText(item, context),
    size_bytes: payload.length,
    payload: '',
    blob_key: '',
  };
  const text = payload.length <= maxRowBytes ? scrubbedText(payload, context) : undefined;
  return text === undefined ? { row, blob: payload } : { row: { ...row, payload: text } };
}

function headersText(item: ReceivedItem, context: ItemContext): string {
  const cleaner = new BagCleaner(scrubRules(context.settings), new Remarks());
  const copy: Record<string, unknown> = {};
  for (const key in item.header) if (key !== '__proto__') copy[key] = structuredCopy(item.header[key]);
  return JSON.stringify(cleaner.clean(copy, { maxSize: 8192, maxDepth: 5, maxText: 2048 }));
}

/** Headers belong to the envelope, so what is changed in place must be a copy. */
function structuredCopy(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD');
  return typeof value === 'object' && value !== null ? '[Object]' : value;
}

/** JSON without what the rules remove; undefined for what is no JSON and may therefore be anything. */
function scrubbedText(payload: Uint8Array, context: ItemContext): string | undefined {
  if (payload.length === 0) return '';
  const decoded = decodeJson(payload, maxRowBytes);
  if (!decoded.ok) return undefined;
  const cleaner = new BagCleaner(scrubRules(context.settings), new Remarks());
  return JSON.stringify(cleaner.clean(decoded.value, keptLimit)) ?? '';
}

function toHeader(item: ReceivedItem): ItemHeader {
  return { ...item.header, type: item.type };
}
