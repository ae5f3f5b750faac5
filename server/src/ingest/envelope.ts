/** `/envelope/` and the tunnel: what all SDKs of today send. */
import { parseEventId, type EnvelopeHeader } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';
import { accepted, type Answer } from './answer.ts';
import { append } from './append.ts';
import { authOf, authorize } from './authorize.ts';
import { blobQuotaReason } from './blob-quota.ts';
import { readBody } from './body.ts';
import { parseEncoding } from './decompress.ts';
import { dropItems, keptBytes } from './drop-items.ts';
import type { Exchange, Ingest } from './exchange.ts';
import { bodyLimits, checkBodySize, foreignItems } from './internal-key.ts';
import { judge, type Verdict } from './judge.ts';
import type { IngestKey } from './keys.ts';
import { mirror } from './mirror.ts';
import { BlobQuotaError, countStopped, QuotaError, RateLimitedError, rateLimitHeaders } from './refuse.ts';
import { scanBody } from './scan-body.ts';
import { createScan, type ScannedItem } from './scan.ts';
import { eventOfStorm, writeGuarded } from './storm/guarded.ts';
import type { StandsFor } from '../base/stands-for.ts';

export async function takeEnvelope(ingest: Ingest, exchange: Exchange): Promise<Answer> {
  // A key that may not send is turned away before its body is read. Through a tunnel the key stands in the body.
  const auth = authOf(exchange);
  if (auth.ok || auth.code !== 'AUTH_MISSING') {
    const key = authorize(ingest, exchange, auth);
    // Here and below: what is there already is not waited for, as each wait takes as long as what is done between two.
    if (key instanceof Promise) await key;
  }
  return acceptEnvelope(ingest, exchange, received(ingest, await readAll(ingest, exchange)));
}

/** The body as it came. Throws BODY_EMPTY and what `readBody` throws. */
export async function readIngestBody(ingest: Ingest, exchange: Exchange): Promise<Buffer> {
  return received(ingest, await readAll(ingest, exchange));
}

function readAll(ingest: Ingest, exchange: Exchange): Promise<Buffer> {
  const { maxBodyBytes: maxBytes } = bodyLimits(ingest, exchange.key);
  const { bodyTimeoutSeconds: timeoutSeconds } = ingest.config;
  return readBody(exchange.request, { maxBytes, timeoutSeconds }, ingest.pools, exchange.held);
}

function received(ingest: Ingest, body: Buffer): Buffer {
  ingest.stats.receivedBytes += body.length;
  if (body.length === 0) throw new CodedError('BODY_EMPTY');
  return body;
}

export async function acceptEnvelope(ingest: Ingest, exchange: Exchange, body: Buffer): Promise<Answer> {
  const encoding = parseEncoding(exchange.request.headers['content-encoding']);
  const scan = createScan();
  exchange.items = scan.items;
  let trouble: unknown;
  try {
    const scanning = scanBody(body, encoding, scan, {
      maxEnvelopeBytes: bodyLimits(ingest, exchange.key).maxEnvelopeBytes,
      inflating: ingest.inflating,
      maxBytesOf: async (header) => {
        const limits = bodyLimits(ingest, await keyOf(ingest, exchange, header, undefined));
        checkBodySize(limits, body.length, 0);
        return limits.maxEnvelopeBytes;
      },
    });
    if (scanning) await scanning;
  } catch (error) {
    trouble = error;
  }
  // A malformed envelope may still say whose it is, so that its project learns of it.
  const found = keyOf(ingest, exchange, scan.header, trouble);
  const key = found instanceof Promise ? await found : found;
  if (trouble !== undefined) throw trouble;
  checkBodySize(bodyLimits(ingest, key), body.length, scan.bytes);

  const nowMs = Date.now();
  const { kept: within, limited, exhausted } = chooseItems(ingest, scan.items, key, nowMs);
  // Only these can still be refused.
  exchange.items = within;
  const stopped = ingest.blobQuota.stopped(within, key, nowMs);
  const blobs = stopped instanceof Promise ? await stopped : stopped;
  for (const item of blobs) count(ingest, key, item, 'rate_limited', blobQuotaReason);
  const unblocked = without(within, blobs);
  const over = ingest.quotas.take(unblocked, key, nowMs);
  countStopped(ingest, key, over);
  const kept = over.size > 0 ? unblocked.filter((item) => !over.has(item)) : unblocked;
  exchange.items = kept;
  const usedUp = ingest.quotas.usedUp(key, nowMs);
  if (kept.length === 0 && limited.length > 0) throw new RateLimitedError(key, exhausted, nowMs);
  if (kept.length === 0 && blobs.length > 0) throw new BlobQuotaError(key, blobs, nowMs);
  const [by] = over.values();
  if (kept.length === 0 && by) throw new QuotaError(by, usedUp, nowMs);

  const write = async (items: readonly ScannedItem[], standsFor?: StandsFor): Promise<unknown> => {
    if (items.length === scan.items.length) {
      return append(ingest, exchange, key, { body, encoding, bytes: scan.bytes }, { standsFor });
    }
    const rest = await dropItems(ingest, { body, encoding }, scan, new Set(items));
    return append(ingest, exchange, key, { ...rest, bytes: keptBytes(scan, items) }, { standsFor });
  };
  const event = eventOfStorm(ingest, key, kept);
  try {
    if (event) {
      const payload = scan.plain?.subarray(event.end - event.bytes, event.end);
      await writeGuarded(ingest, exchange, key, { items: kept, event, payload, write });
    } else if (scan.items.length > 0) {
      await write(kept);
    }
  } catch (error) {
    ingest.quotas.giveBack(kept, key, nowMs);
    throw error;
  }
  if (key.isMirrored && kept.length > 0) {
    const contentType = exchange.request.headers['content-type'];
    const hasDsn = typeof scan.header?.['dsn'] === 'string';
    mirror(ingest, exchange, key, { kind: 'envelope', body, encoding, contentType, hasDsn, items: scan.items });
  }
  const eventId = parseEventId(scan.header?.['event_id']);
  // What is used up is said with what still passed, so that SDKs know before they send more.
  return accepted(eventId, rateLimitHeaders(key, { exhausted, stoppedBlobs: blobs, usedUp }, nowMs));
}

/** By the key's limits, but for its share of blobs. Counts those that go no further. Throws INTERNAL_KEY when none is taken of that project. */
function chooseItems(ingest: Ingest, items: readonly ScannedItem[], key: IngestKey, nowMs: number): Verdict {
  const foreign = foreignItems(items, key);
  if (foreign.length > 0 && foreign.length === items.length) throw new CodedError('INTERNAL_KEY');
  const own = without(items, foreign);
  const verdict = judge(own, key, ingest.limiter, nowMs);
  for (const item of foreign) count(ingest, key, item, 'invalid', 'internal_project');
  for (const item of verdict.surplus) count(ingest, key, item, 'invalid', 'too_many');
  for (const item of verdict.limited) count(ingest, key, item, 'rate_limited', 'key_quota');
  return verdict;
}

function without(items: readonly ScannedItem[], dropped: readonly ScannedItem[]): readonly ScannedItem[] {
  return dropped.length === 0 ? items : items.filter((item) => !dropped.includes(item));
}

function count(
  ingest: Ingest,
  key: IngestKey,
  item: ScannedItem,
  outcome: 'invalid' | 'rate_limited',
  reason: string,
): void {
  ingest.outcomes.count(key, item.type.category, outcome, reason, item.quantity);
}

function keyOf(
  ingest: Ingest,
  exchange: Exchange,
  header: EnvelopeHeader | undefined,
  trouble: unknown,
): IngestKey | Promise<IngestKey> {
  const dsn = header?.['dsn'];
  if (exchange.key && (dsn === undefined || dsn === null)) return exchange.key;
  if (header === undefined && trouble !== undefined) throw trouble;
  return authorize(ingest, exchange, authOf(exchange, dsn));
}
