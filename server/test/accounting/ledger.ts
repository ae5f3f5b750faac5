/** What a test has sent, counted from what it sent, by key, minute and category. */
import { inflateSync } from 'node:zlib';
import { itemType, parseEnvelope } from '@culprit/envelope';
import type { LanguageFixture } from '../../../fixtures/index.ts';
import { recordsOf } from '../languages/otlp.ts';

/** `key minute category` → items. */
export type Ledger = Map<string, number>;

/** Category and number. */
export type Sent = readonly [category: string, count: number];

interface Payload {
  readonly spans?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly discarded_events?: readonly Discarded[];
  readonly rate_limited_events?: readonly Discarded[];
  readonly filtered_events?: readonly Discarded[];
  readonly filtered_sampling_events?: readonly Discarded[];
}

interface Discarded {
  readonly category: string;
  readonly quantity: number;
}

/** Of one item of an envelope, with what its SDK reports to have discarded. */
function sentByItem({ type, payload }: { readonly type: string; readonly payload: Uint8Array }): Sent[] {
  const { category, container } = itemType(type);
  if (type !== 'transaction' && type !== 'client_report' && container === undefined) return [[category, 1]];
  const read = JSON.parse(Buffer.from(payload).toString()) as Payload;
  if (type === 'transaction') {
    return [
      [category, 1],
      ['span', 1 + (read.spans?.length ?? 0)],
    ];
  }
  if (type !== 'client_report') return [[category, read.items?.length ?? 1]];
  const lists = [read.discarded_events, read.rate_limited_events, read.filtered_events, read.filtered_sampling_events];
  return [
    [category, 1],
    ...lists.flatMap((list) => (list ?? []).map(({ category: of, quantity }): Sent => [of, quantity])),
  ];
}

export const sentByEnvelope = (bytes: Uint8Array): Sent[] => parseEnvelope(bytes).items.flatMap(sentByItem);

const signals = [
  ['traces', 'span'],
  ['logs', 'log_item'],
  ['metrics', 'trace_metric'],
] as const;

export function sentByFixture(fixture: LanguageFixture): Sent[] {
  const { meta, bytes } = fixture;
  if (meta.path.includes('/envelope/')) return sentByEnvelope(bytes);
  if (meta.path.includes('/store/')) {
    const text = Buffer.from(bytes).toString();
    const event = JSON.parse(text.startsWith('{') ? text : inflateSync(Buffer.from(text, 'base64')).toString()) as {
      type?: string;
    };
    return [[event.type === 'transaction' ? 'transaction' : 'error', 1]];
  }
  return signals.map(([signal, category]): Sent => [category, recordsOf(fixture, signal).length]);
}

const minuteMs = 60_000;
/** A request that is under way when the minute turns belongs to either. */
const nearlyMs = 3_000;

/** Until a request that begins now is surely received in the minute that runs; gives that minute. */
export async function withinMinute(): Promise<number> {
  while (minuteMs - (Date.now() % minuteMs) < nearlyMs) await new Promise((resolve) => setTimeout(resolve, 100));
  return Math.floor(Date.now() / minuteMs) * minuteMs;
}

export function enter(ledger: Ledger, keyId: string, minute: number, sent: readonly Sent[]): void {
  for (const [category, count] of sent) {
    if (count === 0) continue;
    const name = `${keyId} ${new Date(minute).toISOString()} ${category}`;
    ledger.set(name, (ledger.get(name) ?? 0) + count);
  }
}
