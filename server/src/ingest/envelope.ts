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
import { judge } from './judge.ts';
import type { IngestKey } from './keys.ts';
import { BlobQuotaError, RateLimitedError, rateLimitHeaders } from './refuse.ts';
import { scanBody } from './scan-body.ts';
import { createScan, type ScannedItem } from './scan.ts';

export async function takeEnvelope(ingest: Ingest, exchange: Exchange): Promise<Answer> {
  // A key that may not send is turned away before its body is read. Through a tunnel the key stands in the body.
  const auth = authOf(exchange);
  if (auth.ok || auth.code !== 'AUTH_MISSING') await authorize(ingest, exchange, auth);
  return acceptEnvelope(ingest, exchange, await readIngestBody(ingest, exchange));
}

/** The body as it came. Throws BODY_EMPTY and what `readBody` throws. */
export async function readIngestBody(ingest: Ingest, exchange: Exchange): Promise<Buffer> {
  const { maxBodyBytes: maxBytes } = bodyLimits(ingest, exchange.key);
  const { bodyTimeoutSeconds: timeoutSeconds } = ingest.config;
  const body = await readBody(exchange.request, { maxBytes, timeoutSeconds }, ingest.pools, exchange.held);
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
    await scanBody(body, encoding, scan, {
      maxEnvelopeBytes: bodyLimits(ingest, exchange.key).maxEnvelopeBytes,
      inflating: ingest.inflating,
      maxBytesOf: async (header) => {
        const limits = bodyLimits(ingest, await keyOf(ingest, exchange, header, undefined));
        checkBodySize(limits, body.length, 0);
        return limits.maxEnvelopeBytes;
      },
    });
  } catch (error) {
    trouble = error;
  }
  // A malformed envelope may still say whose it is, so that its project learns of it.
  const key = await keyOf(ingest, exchange, scan.header, trouble);
  if (trouble !== undefined) throw trouble;
  checkBodySize(bodyLimits(ingest, key), body.length, scan.bytes);

  const nowMs = Date.now();
  const { kept, limited, blobs, exhausted } = await chooseItems(ingest, exchange, scan.items, key, nowMs);
  // Only these can still be refused.
  exchange.items = kept;
  if (kept.length === 0 && limited.length > 0) throw new RateLimitedError(key, exhausted, nowMs);
  if (kept.length === 0 && blobs.length > 0) throw new BlobQuotaError(key, blobs, nowMs);

  if (kept.length < scan.items.length) {
    const rest = await dropItems(ingest, { body, encoding }, scan, new Set(kept));
    await append(ingest, exchange, key, { ...rest, bytes: keptBytes(scan, kept) });
  } else if (scan.items.length > 0) {
    await append(ingest, exchange, key, { body, encoding, bytes: scan.bytes });
  }
  const eventId = parseEventId(scan.header?.['event_id']);
  const isLimited = limited.length > 0 || blobs.length > 0;
  return accepted(eventId, isLimited ? rateLimitHeaders(key, exhausted, nowMs, blobs) : undefined);
}

interface Choice {
  readonly kept: readonly ScannedItem[];
  /** By the key's rate limit, and by its share of blobs. */
  readonly limited: readonly ScannedItem[];
  readonly blobs: readonly ScannedItem[];
  /** As in `Verdict`. */
  readonly exhausted: readonly string[];
}

/** Counts those that go no further. Throws INTERNAL_KEY when none is taken of that project. */
async function chooseItems(
  ingest: Ingest,
  exchange: Exchange,
  items: readonly ScannedItem[],
  key: IngestKey,
  nowMs: number,
): Promise<Choice> {
  const foreign = foreignItems(items, key);
  if (foreign.length > 0 && foreign.length === items.length) throw new CodedError('INTERNAL_KEY');
  const own = without(items, foreign);
  const { kept, limited, surplus, exhausted } = judge(own, key, ingest.limiter, nowMs);
  for (const item of foreign) count(ingest, key, item, 'invalid', 'internal_project');
  for (const item of surplus) count(ingest, key, item, 'invalid', 'too_many');
  for (const item of limited) count(ingest, key, item, 'rate_limited', 'key_quota');
  exchange.items = kept;
  const blobs = await ingest.blobQuota.stopped(kept, key, nowMs);
  for (const item of blobs) count(ingest, key, item, 'rate_limited', blobQuotaReason);
  return { kept: without(kept, blobs), limited, blobs, exhausted };
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
  ingest.outcomes.count(key.projectId, item.type.category, outcome, reason, item.quantity);
}

async function keyOf(
  ingest: Ingest,
  exchange: Exchange,
  header: EnvelopeHeader | undefined,
  trouble: unknown,
): Promise<IngestKey> {
  const dsn = header?.['dsn'];
  if (exchange.key && (dsn === undefined || dsn === null)) return exchange.key;
  if (header === undefined && trouble !== undefined) throw trouble;
  return authorize(ingest, exchange, authOf(exchange, dsn));
}
