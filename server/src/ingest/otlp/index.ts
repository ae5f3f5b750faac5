/** OTLP over HTTP: what SDKs and Collectors of OpenTelemetry send, by the DSN's path or by the standard one. */
import { itemType } from '@culprit/envelope';
import { CodedError } from '../../base/errors.ts';
import {
  exportResponse,
  type Rejected,
  type Signal,
  signalNames,
  signals,
  statusResponse,
} from '../../base/otlp/index.ts';
import { type Answer, otlpAnswer } from '../answer.ts';
import { append } from '../append.ts';
import { authorize } from '../authorize.ts';
import { blobQuotaReason } from '../blob-quota.ts';
import { parseEncoding } from '../decompress.ts';
import { readIngestBody } from '../envelope.ts';
import type { Exchange, Ingest } from '../exchange.ts';
import { judge } from '../judge.ts';
import type { IngestKey } from '../keys.ts';
import { mirror } from '../mirror.ts';
import { BlobQuotaError, countStopped, QuotaError, RateLimitedError, rateLimitHeaders } from '../refuse.ts';
import type { ScannedItem } from '../scan.ts';
import { otlp as texts } from '../../base/texts/ingest.ts';
import { countRecords } from './count.ts';
import { authOfOtlp, formOf, requireForm } from './headers.ts';

/** Records of one request that are taken; a Collector sends about eight thousand at once. */
const maxRecords = 20_000;

/** Rate limits, outcomes and quotas count them with those that SDKs send. */
const itemTypeOf = { traces: 'span', logs: 'log', metrics: 'trace_metric' } as const;

interface OtlpRoute {
  readonly name: string;
  readonly paths: readonly string[];
  readonly methods: readonly ['POST'];
  readonly take: (ingest: Ingest, exchange: Exchange) => Promise<Answer>;
  /** Refusals as a client of OTLP reads them. */
  readonly restate: (exchange: Exchange, answer: Answer) => Answer;
}

export const otlpRoutes: readonly OtlpRoute[] = signalNames.map((signal) => ({
  name: signals[signal].itemType,
  paths: [`/api/:project/integration/otlp/v1/${signal}`, `/api/:project/otlp/v1/${signal}`, `/v1/${signal}`],
  methods: ['POST'],
  take: (ingest, exchange) => takeOtlp(signal, ingest, exchange),
  restate,
}));

/** Answers in the form of the request; refusals are thrown. */
export async function takeOtlp(signal: Signal, ingest: Ingest, exchange: Exchange): Promise<Answer> {
  const key = await authorize(ingest, exchange, authOfOtlp(exchange));
  const form = requireForm(exchange);
  const body = await readMaybeEmpty(ingest, exchange, form === 'protobuf');
  const encoding = parseEncoding(exchange.request.headers['content-encoding']);
  const { records: found, bytes } = await countRecords(ingest, exchange, { body, encoding }, { signal, form });
  const count = Math.min(found, maxRecords);
  let headers: Readonly<Record<string, string>> | undefined;
  if (count > 0) {
    const scanned = scannedRecords(signal, count, bytes);
    exchange.items = [scanned];
    const nowMs = Date.now();
    await takeQuota(ingest, key, scanned, nowMs);
    headers = rateLimitHeaders(key, { usedUp: ingest.quotas.usedUp(key, nowMs) }, nowMs);
    // How many the sender was told are taken: processing takes no more.
    const item = { type: signals[signal].itemType, header: { form, take: count } };
    try {
      await append(ingest, exchange, key, { body, encoding, bytes }, { item });
    } catch (error) {
      ingest.quotas.giveBack([scanned], key, nowMs);
      throw error;
    }
    if (key.isMirrored) {
      const contentType = exchange.request.headers['content-type'];
      mirror(ingest, exchange, key, { kind: signal, body, encoding, contentType, items: [scanned] });
    }
  }
  let rejected: Rejected | undefined;
  if (found > count) {
    const { category } = itemType(itemTypeOf[signal]);
    ingest.outcomes.count(key, category, 'invalid', 'too_many', found - count);
    rejected = {
      count: found - count,
      why: texts.tooManyRecords(maxRecords),
    };
  }
  return otlpAnswer(200, form, exportResponse(signal, form, rejected), headers);
}

/** In protobuf a request without any record has no bytes, and is a good one. */
async function readMaybeEmpty(ingest: Ingest, exchange: Exchange, mayBeEmpty: boolean): Promise<Buffer> {
  try {
    return await readIngestBody(ingest, exchange);
  } catch (error) {
    if (mayBeEmpty && error instanceof CodedError && error.code === 'BODY_EMPTY') return Buffer.alloc(0);
    throw error;
  }
}

function scannedRecords(signal: Signal, quantity: number, bytes: number): ScannedItem {
  const type = itemType(itemTypeOf[signal]);
  return { type, header: { type: type.name, length: undefined }, quantity, bytes, end: bytes };
}

/** Throws RATE_LIMITED, BLOB_QUOTA, QUOTA_EXCEEDED: a client of OTLP sends the whole request again, so that it passes whole or not at all. */
async function takeQuota(ingest: Ingest, key: IngestKey, scanned: ScannedItem, nowMs: number): Promise<void> {
  const { limited, exhausted } = judge([scanned], key, ingest.limiter, nowMs);
  const { category } = scanned.type;
  if (limited.length > 0) {
    ingest.outcomes.count(key, category, 'rate_limited', 'key_quota', scanned.quantity);
    throw new RateLimitedError(key, exhausted, nowMs);
  }
  const blobs = await ingest.blobQuota.stopped([scanned], key, nowMs);
  if (blobs.length > 0) {
    ingest.outcomes.count(key, category, 'rate_limited', blobQuotaReason, scanned.quantity);
    throw new BlobQuotaError(key, blobs, nowMs);
  }
  const over = ingest.quotas.take([scanned], key, nowMs);
  countStopped(ingest, key, over);
  const [by] = over.values();
  if (by) throw new QuotaError(by, ingest.quotas.usedUp(key, nowMs), nowMs);
}

function restate(exchange: Exchange, answer: Answer): Answer {
  const form = formOf(exchange) ?? 'json';
  const { detail } = JSON.parse(answer.body.toString()) as { detail: string };
  return otlpAnswer(answer.status, form, statusResponse(answer.status, detail, form), answer.headers);
}
