/**
 * Items that are kept as they came: of types that no part shows yet, of unknown types, and those that could not be
 * processed. Text is scrubbed by the project's rules; binary and large payloads go to the blob store.
 */
import { itemQuantity, itemType, type ItemHeader } from '@culprit/envelope';
import type { ItemRow } from '../../../base/tables/items.ts';
import { Remarks } from '../../steps/remarks.ts';
import { BagCleaner, scrubField, scrubRules, scrubText } from '../../steps/scrub/index.ts';
import { defaultProjectSettings, type ItemContext, type ItemResult, type Outcome } from '../../types.ts';
import { itemProblems } from '../../../base/texts/events.ts';
import { maxRowBytes } from './limits.ts';
import { scrubbedRecording } from './recording.ts';
import { keptLimit, refusedText, removedFrom, type ScrubbedText, scrubbedText } from './text.ts';

export interface ReceivedItem {
  readonly type: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Uint8Array;
}

/** What users attach, and memory of programs that crashed: all else is text, or must be readable as such. */
const mayBeBinary: ReadonlySet<string> = new Set(['attachment', 'unreal_report']);
/** Headers that are names of files and types: words such as `auth` in them say nothing. */
const names = ['type', 'filename', 'content_type', 'attachment_type'] as const;

const encoder = new TextEncoder();

/** Accepts an item without looking into it further. */
export function processKept(item: ReceivedItem, context: ItemContext): ItemResult {
  const type = itemType(item.type);
  const quantity = itemQuantity(type, toHeader(item));
  const refused = refusedText(item, context);
  if (refused) {
    const row = { ...toRow(item, context, type.category, refused), headers: headersText(item, context) };
    return { outcomes: [{ category: type.category, outcome: refused, quantity }], kept: [{ row }] };
  }
  const outcome: Outcome = type.known ? { kind: 'accepted' } : { kind: 'invalid', reason: 'unknown_type' };
  return {
    outcomes: [{ category: type.category, outcome, quantity }],
    kept: [keep(item, context, type.category, outcome)],
  };
}

/** The last resort, when even keeping fails: what happened is counted and said, the payload is not looked at. */
function countOnly(item: ReceivedItem, context: ItemContext, category: string, outcome: Outcome): ItemResult {
  // Not by the project's settings, which may be what failed.
  const { projectId, receivedAt, envelopeEventId = '' } = context;
  const settings = defaultProjectSettings;
  const row = toRow(item, { projectId, receivedAt, envelopeEventId, settings }, category, outcome);
  return { outcomes: [{ category, outcome, quantity: 1 }], kept: [{ row }] };
}

/** Counts one outcome for an item and keeps it with the reason, so that nothing is thrown away unseen. */
export function keepAside(item: ReceivedItem, context: ItemContext, category: string, outcome: Outcome): ItemResult {
  // Of a container that cannot be read, its header says how many are lost.
  const quantity = itemQuantity(itemType(item.type), toHeader(item));
  return { outcomes: [{ category, outcome, quantity }], kept: [keep(item, context, category, outcome)] };
}

/** What `process` makes of an item; a surprise becomes the outcome `invalid:internal`, and the item is kept aside. */
export function orKept(item: ReceivedItem, context: ItemContext, process: () => ItemResult): ItemResult {
  try {
    return process();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const { category } = itemType(item.type);
    const outcome: Outcome = { kind: 'invalid', reason: 'internal', detail };
    try {
      return keepAside(item, context, category, outcome);
    } catch {
      return countOnly(item, context, category, outcome);
    }
  }
}

type Kept = NonNullable<ItemResult['kept']>[number];

/** `blob_key` stays '' here: whoever stores the blob names it. */
function keep(item: ReceivedItem, context: ItemContext, category: string, outcome: Outcome): Kept {
  const { payload } = item;
  const row = { ...toRow(item, context, category, outcome), headers: headersText(item, context) };
  if (item.type === 'replay_recording') {
    const blob = scrubbedRecording(payload, context.settings, keptLimit);
    if (blob) return { row, blob };
  }
  const text = isOpaque(item) ? undefined : scrubbedText(item, context);
  if (text === undefined) {
    return mayBeBinary.has(item.type) || !context.settings.scrubData
      ? { row, blob: payload }
      : { row: { ...row, detail: [row.detail, itemProblems.notScrubbed].filter(Boolean).join('; ') } };
  }
  if (item.type === 'attachment') noteRemoved(row, payload, text);
  if (typeof text !== 'string') return { row, blob: text };
  return text.length <= maxRowBytes ? { row: { ...row, payload: text } } : { row, blob: encoder.encode(text) };
}

/** Its size is that of what is kept. Of a large one, which is scrubbed while it is written, neither is known yet. */
function noteRemoved(row: ItemRow, sent: Uint8Array, kept: ScrubbedText): void {
  if (typeof kept !== 'string' && !(kept instanceof Uint8Array)) return;
  const removed = removedFrom(sent, kept);
  if (removed === undefined) return;
  row.size_bytes = typeof kept === 'string' ? Buffer.byteLength(kept) : kept.length;
  row.detail = [row.detail, removed].filter(Boolean).join('; ');
}

function toRow(item: ReceivedItem, context: ItemContext, category: string, outcome: Outcome): ItemRow {
  const rules = scrubRules(context.settings);
  return {
    project_id: context.projectId,
    received_at: context.receivedAt,
    item_type: scrubField(item.type, 'id', rules).slice(0, 64).toWellFormed(),
    category,
    outcome: outcome.kind,
    reason: outcome.kind === 'accepted' ? '' : outcome.reason,
    // What failed may quote what it failed on.
    detail:
      outcome.kind === 'accepted'
        ? ''
        : scrubText(outcome.detail ?? '', 'message', rules)
            .slice(0, 1000)
            .toWellFormed(),
    event_id: context.envelopeEventId ?? '',
    headers: '{}',
    size_bytes: item.payload.length,
    payload: '',
    blob_key: '',
  };
}

function headersText(item: ReceivedItem, context: ItemContext): string {
  const rules = scrubRules(context.settings);
  const cleaner = new BagCleaner(rules, new Remarks());
  const copy: Record<string, unknown> = {};
  for (const key in item.header) if (key !== '__proto__') copy[key] = structuredCopy(item.header[key]);
  const named = names.map((name) => [name, copy[name]] as const);
  const clean = cleaner.clean(copy, { maxSize: 8192, maxDepth: 5, maxText: 2048 }) as Record<string, unknown>;
  for (const [name, text] of named) {
    if (typeof text === 'string' && name in clean) clean[name] = scrubField(text, 'value', rules).slice(0, 2048);
  }
  return JSON.stringify(clean);
}

/** Headers belong to the envelope, so what is changed in place must be a copy. */
function structuredCopy(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD');
  return typeof value === 'object' && value !== null ? '[Object]' : value;
}

/** Compressed, or of a form in which names and values are told apart by lengths. */
const isOpaque = ({ header }: ReceivedItem): boolean => Boolean(header.encoding) || header.form === 'protobuf';

function toHeader(item: ReceivedItem): ItemHeader {
  return { ...item.header, type: item.type };
}
