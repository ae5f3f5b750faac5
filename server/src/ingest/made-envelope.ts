/** Accepts what did not come as an envelope: each item becomes an envelope of its own. */
import { serializeEnvelope, type EventId, type ItemToWrite } from '@culprit/envelope';
import { append } from './append.ts';
import type { Exchange, Ingest } from './exchange.ts';
import { judge } from './judge.ts';
import type { IngestKey } from './keys.ts';
import { mirror } from './mirror.ts';
import { countStopped, QuotaError, RateLimitedError, rateLimitHeaders } from './refuse.ts';
import { checkItemSize, scannedItem } from './scan.ts';
import { eventOfStorm, writeGuarded } from './storm/guarded.ts';
import type { StandsFor } from '../base/stands-for.ts';

export interface MadeEnvelope {
  readonly eventId: EventId;
  readonly item: ItemToWrite;
}

/** Resolves to the headers for the answer when all that passes is on disk. Throws ITEM_TOO_LARGE, RATE_LIMITED, LOG_FULL. */
export async function acceptMade(
  ingest: Ingest,
  exchange: Exchange,
  key: IngestKey,
  envelopes: readonly MadeEnvelope[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const candidates = envelopes.map((envelope) => ({ envelope, scanned: scannedItem({ ...envelope.item.header }) }));
  exchange.items = candidates.map(({ scanned }) => scanned);
  for (const { envelope, scanned } of candidates) checkItemSize(scanned, Buffer.byteLength(envelope.item.payload));

  const nowMs = Date.now();
  const exhausted = new Set<string>();
  const within = candidates.filter(({ scanned }) => {
    const verdict = judge([scanned], key, ingest.limiter, nowMs);
    for (const name of verdict.exhausted) exhausted.add(name);
    if (verdict.kept.length > 0) return true;
    ingest.outcomes.count(key, scanned.type.category, 'rate_limited', 'key_quota', scanned.quantity);
    return false;
  });
  const over = ingest.quotas.take(
    within.map(({ scanned }) => scanned),
    key,
    nowMs,
  );
  countStopped(ingest, key, over);
  const kept = within.filter(({ scanned }) => !over.has(scanned));
  exchange.items = kept.map(({ scanned }) => scanned);
  const usedUp = ingest.quotas.usedUp(key, nowMs);
  if (kept.length === 0 && exhausted.size > 0) throw new RateLimitedError(key, [...exhausted], nowMs);
  const [by] = over.values();
  if (kept.length === 0 && by) throw new QuotaError(by, usedUp, nowMs);
  const writing = Promise.all(
    kept.map(async ({ envelope: { eventId, item }, scanned }) => {
      const body = bodyOf(serializeEnvelope({ event_id: eventId }, [item]));
      const write = (_items: unknown, standsFor?: StandsFor): Promise<unknown> =>
        append(ingest, exchange, key, body, { standsFor });
      const event = eventOfStorm(ingest, key, [scanned]);
      if (event) {
        const payload = Buffer.from(item.payload);
        await writeGuarded(ingest, exchange, key, { items: [event], event, payload, write });
      } else {
        await write([scanned]);
      }
      // What came to another endpoint than that of envelopes goes there again, if targets have one.
      if (!key.isMirrored || exchange.endpoint === 'security') return;
      mirror(ingest, exchange, key, { kind: 'envelope', ...body, contentType: undefined, items: [scanned] });
    }),
  );
  try {
    await writing;
  } catch (error) {
    ingest.quotas.giveBack(exchange.items, key, nowMs);
    throw error;
  }
  return rateLimitHeaders(key, { exhausted: [...exhausted], usedUp }, nowMs);
}

const bodyOf = (body: Uint8Array) => ({ body, encoding: '', bytes: body.length }) as const;
