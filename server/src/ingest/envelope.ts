/** `/envelope/` and the tunnel: what all SDKs of today send. */
import { parseEventId, type EnvelopeHeader } from '@culprit/envelope';
import { CodedError } from '../errors.ts';
import { accepted, type Answer } from './answer.ts';
import { append } from './append.ts';
import { authOf, authorize } from './authorize.ts';
import { readBody } from './body.ts';
import { parseEncoding } from './decompress.ts';
import { dropItems } from './drop-items.ts';
import type { Exchange, Ingest } from './exchange.ts';
import { judge } from './judge.ts';
import type { IngestKey } from './keys.ts';
import { RateLimitedError, rateLimitHeaders } from './refuse.ts';
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
  const { maxBodyBytes: maxBytes, bodyTimeoutSeconds: timeoutSeconds } = ingest.config;
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
    await scanBody(body, encoding, scan, ingest.config.maxEnvelopeBytes, ingest.inflating);
  } catch (error) {
    trouble = error;
  }
  // A malformed envelope may still say whose it is, so that its project learns of it.
  const key = await keyOf(ingest, exchange, scan.header, trouble);
  if (trouble !== undefined) throw trouble;

  const nowMs = Date.now();
  const verdict = judge(scan.items, key, ingest.limiter, nowMs);
  for (const item of verdict.surplus) count(ingest, key, item, 'invalid', 'too_many');
  for (const item of verdict.limited) count(ingest, key, item, 'rate_limited', 'key_quota');
  // Only these can still be refused.
  exchange.items = verdict.kept;
  if (verdict.kept.length === 0 && verdict.limited.length > 0)
    throw new RateLimitedError(key, verdict.exhausted, nowMs);

  if (verdict.kept.length < scan.items.length) {
    const rest = await dropItems(ingest, exchange, { body, encoding }, scan, new Set(verdict.kept));
    await append(ingest, exchange, key, rest.body, rest.encoding);
  } else if (scan.items.length > 0) {
    await append(ingest, exchange, key, body, encoding);
  }
  const eventId = parseEventId(scan.header?.['event_id']);
  return accepted(eventId, verdict.limited.length > 0 ? rateLimitHeaders(key, verdict.exhausted, nowMs) : undefined);
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
