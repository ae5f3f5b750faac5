/** Scans request bodies: small ones at once, large ones piece by piece and off this thread. */
import { EnvelopeError, type EnvelopeHeader, readEnvelopeHeader, walkItems } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';
import { smallBodyBytes } from './body.ts';
import { checkInflated, decompress, decompressedChunks, type Compression, type Encoding } from './decompress.ts';
import type { Gate } from './gate.ts';
import { checkItemSize, scannedItem, type Scan } from './scan.ts';
import { createScanner } from './scanner.ts';

/** A small body may inflate to this on the thread that answers requests; beyond it, it is treated as a large one. */
const maxInflatedAtOnce = 4 * 1024 * 1024;

export interface ScanLimits {
  /** Decompressed. */
  readonly maxEnvelopeBytes: number;
  /** How many large bodies are decompressed at once. */
  readonly inflating: Gate;
  /** What the envelope may come to once it is known whose it is; asked before most of a large body is decompressed. */
  readonly maxBytesOf?: (header: EnvelopeHeader) => Promise<number>;
}

/** Scans a body of any size. Throws ENVELOPE_MALFORMED, BODY_ENCODING, BODY_TOO_LARGE, BODY_RATIO, ITEM_TOO_LARGE or OVERLOADED. */
export async function scanBody(body: Buffer, encoding: Encoding, scan: Scan, limits: ScanLimits): Promise<void> {
  const { maxEnvelopeBytes } = limits;
  try {
    if (encoding === '') {
      scanBytes(body, scan, maxEnvelopeBytes);
      return;
    }
    const inflated =
      body.length > smallBodyBytes
        ? undefined
        : decompress(body, encoding, Math.min(maxInflatedAtOnce, maxEnvelopeBytes));
    if (inflated) scanBytes(inflated, scan, maxEnvelopeBytes);
    else await scanChunks(body, encoding, scan, limits);
  } catch (error) {
    throw error instanceof EnvelopeError ? new CodedError('ENVELOPE_MALFORMED', [error.message]) : error;
  }
}

function scanBytes(bytes: Buffer, scan: Scan, maxEnvelopeBytes: number): void {
  if (bytes.length > maxEnvelopeBytes) throw new CodedError('BODY_TOO_LARGE', [maxEnvelopeBytes]);
  scan.bytes = bytes.length;
  const { header, itemsOffset } = readEnvelopeHeader(bytes);
  scan.header = header;
  scan.itemsOffset = itemsOffset;
  for (const { header: itemHeader, payload } of walkItems(bytes, itemsOffset)) {
    const item = scannedItem(itemHeader);
    scan.items.push(item);
    item.bytes = payload.length;
    item.end = payload.byteOffset - bytes.byteOffset + payload.length;
    checkItemSize(item, payload.length);
  }
}

async function scanChunks(
  body: Buffer,
  encoding: Compression,
  scan: Scan,
  { maxEnvelopeBytes, maxBytesOf, inflating }: ScanLimits,
): Promise<void> {
  if (!(await inflating.take(1, 10_000))) throw new CodedError('OVERLOADED', [], { retryAfter: 5 });
  try {
    let maxBytes = maxEnvelopeBytes;
    let isAsked = maxBytesOf === undefined;
    const scanner = createScanner(scan, (end) => checkInflated(end, body.length, maxBytes));
    for await (const chunk of decompressedChunks(body, encoding)) {
      scan.bytes += chunk.length;
      checkInflated(scan.bytes, body.length, maxBytes);
      scanner.push(chunk);
      if (isAsked || scan.header === undefined) continue;
      isAsked = true;
      maxBytes = Math.min(maxBytes, (await maxBytesOf?.(scan.header)) ?? maxBytes);
    }
    scanner.end();
  } finally {
    inflating.release(1);
  }
}
