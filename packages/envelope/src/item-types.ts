/** What the server knows about item types before it looks at a payload. */
import type { ItemHeader } from './envelope.ts';

/** What kind an outcome counts as. */
export type DataCategory =
  | 'error'
  | 'transaction'
  | 'span'
  | 'log_item'
  | 'trace_metric'
  | 'metric_bucket'
  | 'session'
  | 'attachment'
  | 'feedback'
  | 'monitor'
  | 'replay'
  | 'profile'
  | 'profile_chunk'
  | 'security'
  | 'internal'
  | 'default'
  | 'unknown';

export interface ItemType {
  /** Canonical name; aliases lead to the same name. For an unknown type the name that the client sent. */
  readonly name: string;
  readonly known: boolean;
  readonly category: DataCategory;
  /** Category names that make SDKs stop sending this type, for `X-Sentry-Rate-Limits`; none: must not be limited. */
  readonly limitCategories: readonly string[];
  /** Largest payload in bytes, as it arrives in the envelope. */
  readonly maxBytes: number;
  readonly maxPerEnvelope: number;
  /** As rows that are made of it; as it came, small text in a row and the rest as a blob; or as a blob in any case. */
  readonly keptAs: 'rows' | 'text' | 'blob';
  /** Belongs to the event, replay or feedback that the envelope header's `event_id` names. */
  readonly needsEventId: boolean;
  /** Content type of the form that holds many entries: `{"version", "items": [...]}` with `item_count` in the header. */
  readonly container?: string;
  /** Largest entry of a container, in bytes. */
  readonly maxEntryBytes?: number;
}

const kib = 1024;
const mib = 1024 * kib;

/** Largest inflated replay recording, in bytes: the only payload that is compressed inside the envelope. */
export const maxReplayInflatedBytes = 100 * mib;

type Row = Partial<Omit<ItemType, 'name' | 'known' | 'category'>>;

function row(name: string, category: DataCategory, overrides: Row = {}): ItemType {
  return {
    name,
    known: true,
    category,
    limitCategories: [category],
    maxBytes: mib,
    maxPerEnvelope: 100,
    keptAs: 'text',
    needsEventId: false,
    ...overrides,
  };
}

const rows = { keptAs: 'rows' } as const;
const blob = { keptAs: 'blob' } as const;
const ofEvent = { needsEventId: true, maxPerEnvelope: 1 } as const;
const container = { maxBytes: 12 * mib, maxPerEnvelope: 1 } as const;

/** Limits are those that SDKs are made for. Where a type's SDK category differs from ours, `limitCategories` says so. */
export const itemTypes: readonly ItemType[] = [
  row('event', 'error', { ...ofEvent, ...rows }),
  row('transaction', 'transaction', { ...ofEvent, ...rows }),
  // One span (old) or a container of spans: told apart by `isContainer`.
  row('span', 'span', {
    ...container,
    ...rows,
    maxPerEnvelope: 25,
    container: 'application/vnd.sentry.items.span.v2+json',
    maxEntryBytes: 10 * mib,
  }),
  row('otel_span', 'span', { maxPerEnvelope: 25 }),
  row('log', 'log_item', {
    ...container,
    ...rows,
    container: 'application/vnd.sentry.items.log+json',
    maxEntryBytes: 2 * mib,
  }),
  row('trace_metric', 'trace_metric', {
    ...container,
    container: 'application/vnd.sentry.items.trace-metric+json',
    maxEntryBytes: mib,
  }),
  row('session', 'session', { ...rows, maxBytes: 10 * mib }),
  row('sessions', 'session', { ...rows, maxBytes: 10 * mib }),
  row('client_report', 'internal', { ...rows, maxBytes: 100 * kib, limitCategories: [] }),
  row('attachment', 'attachment', { ...blob, maxBytes: 200 * mib, maxPerEnvelope: 30, needsEventId: true }),
  row('feedback', 'feedback', ofEvent),
  row('user_report', 'feedback', { ...ofEvent, limitCategories: ['user_report_v2', 'default'] }),
  row('check_in', 'monitor', { maxBytes: 100 * kib, maxPerEnvelope: 1 }),
  // Of no use without its recording, and so kept with it or not at all.
  row('replay_event', 'replay', { ...ofEvent, ...blob }),
  row('replay_recording', 'replay', { ...ofEvent, ...blob, maxBytes: 10 * mib }),
  row('replay_video', 'replay', { ...ofEvent, ...blob, maxBytes: maxReplayInflatedBytes }),
  row('profile', 'profile', { ...ofEvent, ...blob, maxBytes: 50 * mib }),
  // JavaScript SDKs take chunks for profiles.
  row('profile_chunk', 'profile_chunk', {
    ...blob,
    maxBytes: 50 * mib,
    limitCategories: ['profile_chunk', 'profile_chunk_ui', 'profile'],
  }),
  row('raw_security', 'security', { ...ofEvent, ...rows }),
  row('security', 'security', { ...ofEvent, ...rows }),
  row('nel', 'security', { limitCategories: ['security', 'nel'] }),
  row('form_data', 'attachment', { ...ofEvent, limitCategories: ['attachment', 'error'] }),
  row('unreal_report', 'error', { ...ofEvent, ...blob, maxBytes: 200 * mib }),
  row('statsd', 'metric_bucket', { limitCategories: ['metric_bucket', 'statsd'] }),
  row('metric_buckets', 'metric_bucket'),
  row('metric_meta', 'metric_bucket'),
];

const byName = new Map(itemTypes.map((type) => [type.name, type]));
const aliases: readonly (readonly [alias: string, name: string])[] = [['profile_chunk_ui', 'profile_chunk']];
for (const [alias, name] of aliases) {
  const type = byName.get(name);
  if (type) byName.set(alias, type);
}

/** The entry of the table, or for a name that is not in it an entry with `known: false` that keeps the name. */
export function itemType(name: string): ItemType {
  return (
    byName.get(name) ?? {
      ...row(name, 'unknown', { maxBytes: 10 * mib, limitCategories: [name], keptAs: 'blob' }),
      known: false,
    }
  );
}

/** True when the payload holds many entries. `item_count` tells too: some clients leave the content type out. */
export function isContainer(type: ItemType, header: ItemHeader): boolean {
  if (type.container === undefined) return false;
  const contentType = header['content_type'];
  if (typeof contentType === 'string') return contentType.split(';', 1)[0]?.trim().toLowerCase() === type.container;
  return header['item_count'] !== undefined;
}

/** How many the item counts for in quotas and outcomes, by its header alone: entries of a container, else 1. */
export function itemQuantity(type: ItemType, header: ItemHeader): number {
  const count = header['item_count'];
  if (!isContainer(type, header) || typeof count !== 'number') return 1;
  return Number.isSafeInteger(count) && count > 0 && count <= type.maxBytes ? count : 1;
}
