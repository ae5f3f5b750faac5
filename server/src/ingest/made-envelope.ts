/** Accepts what did not come as an envelope: each item becomes an envelope of its own. */
import { serializeEnvelope, type EventId, type ItemToWrite } from '@culprit/envelope';
import { append } from './append.ts';
import type { Exchange, Ingest } from './exchange.ts';
import { judge } from './judge.ts';
import type { IngestKey } from './keys.ts';
import { mirror } from './mirror.ts';
import { RateLimitedError, rateLimitHeaders } from './refuse.ts';
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
  const kept = candidates.filter(({ scanned }) => {
    const verdict = judge([scanned], key, ingest.limiter, nowMs);
    for (const name of verdict.exhausted) exhausted.add(name);
    if (verdict.kept.length > 0) return true;
    ingest.outcomes.count(key.projectId, scanned.type.category, 'rate_limited', 'key_quota', scanned.quantity);
    return false;
  });
  exchange.items = kept.map(({ scanned }) => scanned);
  if (kept.length === 0 && exhausted.size > 0) throw new RateLimitedError(key, [...exhausted], nowMs);
  await Promise.all(
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
  return exhausted.size > 0 ? rateLimitHeaders(key, [...exhausted], nowMs) : undefined;
}

const bodyOf = (body: Uint8Array) => ({ body, encoding: '', bytes: body.length }) as const;
