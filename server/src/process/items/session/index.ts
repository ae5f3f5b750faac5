/**
 * Sessions: how an application fared from its start to its end. An SDK says so in updates of one session each
 * (`session`), or has counted short ones, such as requests, by the minute (`sessions`).
 */
import type { SessionRow } from '../../../base/tables/sessions.ts';
import { decodeJson } from '../../steps/decode.ts';
import { asObject, type JsonObject } from '../../steps/json.ts';
import type { ItemContext, ItemResult, Outcome } from '../../types.ts';
import type { ItemTypes, ProcessItem } from '../item-types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
export { hashOfUser } from './read.ts';
import { readBuckets, readUpdate, type ReadSessions } from './read.ts';

const category = 'session';
/** As ingestion lets through. */
const maxBytes = 10 * 1024 * 1024;

/** One update of one session. */
const processSession: ProcessItem = (item, context) => processWith(readUpdate, item, context);

/** Sessions that were counted by the minute. */
const processCountedSessions: ProcessItem = (item, context) => processWith(readBuckets, item, context);

export const types = { session: processSession, sessions: processCountedSessions } satisfies ItemTypes;

function processWith(
  read: (payload: JsonObject, context: ItemContext) => ReadSessions,
  item: ReceivedItem,
  context: ItemContext,
): ItemResult {
  const decoded = decodeJson(item.payload, maxBytes);
  if (!decoded.ok) {
    return keepAside(item, context, category, { kind: 'invalid', reason: decoded.reason, detail: decoded.detail });
  }
  const payload = asObject(decoded.value);
  if (!payload) return keepAside(item, context, category, { kind: 'invalid', reason: 'not_an_object' });
  const { rows, refused } = read(payload, context);
  if (refused) return refuse(item, payload, context, refused);
  return { outcomes: [{ category, outcome: { kind: 'accepted' }, quantity: 1 }], rows: { sessions: merged(rows) } };
}

/** Whom a session was of is stored as a hash alone, and not at all where the session is not. */
function refuse(item: ReceivedItem, payload: JsonObject, context: ItemContext, outcome: Outcome): ItemResult {
  const { did: _, aggregates, ...rest } = payload;
  const buckets = Array.isArray(aggregates)
    ? aggregates.slice(0, 100).map((bucket) => {
        const { did: __, ...other } = asObject(bucket) ?? {};
        return other;
      })
    : undefined;
  const text = JSON.stringify({ ...rest, ...(buckets && { aggregates: buckets }) });
  return keepAside({ ...item, payload: new TextEncoder().encode(text) }, context, category, outcome);
}

/** Buckets of one minute and user are one row. */
function merged(rows: readonly SessionRow[]): readonly SessionRow[] {
  if (rows.length < 2) return rows;
  const byKey = new Map<string, SessionRow>();
  for (const row of rows) {
    const key = `${row.minute} ${row.session}`;
    const known = byKey.get(key);
    if (!known) {
      byKey.set(key, row);
      continue;
    }
    for (const name of ['exited', 'errored', 'unhandled', 'abnormal', 'crashed'] as const) known[name] += row[name];
  }
  return [...byKey.values()];
}
