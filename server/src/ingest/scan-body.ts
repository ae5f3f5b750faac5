/** Scans request bodies: small ones at once, large ones piece by piece and off this thread. */
import { EnvelopeError, type EnvelopeHeader, readEnvelopeHeader, walkItems } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';
import { smallBodyBytes } from './body.ts';
import { checkInflated, decompress, decompressedChunks, type Compression, type Encoding } from './decompress.ts';
import type { Gate } from './gate.ts';
import { checkItemSize, createScan, scannedItem, type Scan } from './scan.ts';
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

/** Scans a body of any size, a small one at once. Throws ENVELOPE_MALFORMED, BODY_ENCODING, BODY_TOO_LARGE, BODY_RATIO, ITEM_TOO_LARGE or OVERLOADED. */
export function scanBody(body: Buffer, encoding: Encoding, scan: Scan, limits: ScanLimits): Promise<void> | undefined {
  try {
    const plain = encoding === '' ? body : inflatedAtOnce(body, encoding, limits);
    if (plain) scanBytes(plain, scan, limits.maxEnvelopeBytes);
    if (plain || encoding === '') return undefined;
  } catch (error) {
    throw coded(error);
  }
  return scanChunks(body, encoding, scan, limits).catch((error: unknown) => {
    throw coded(error);
  });
}

function inflatedAtOnce(body: Buffer, encoding: Compression, { maxEnvelopeBytes }: ScanLimits): Buffer | undefined {
  if (body.length > smallBodyBytes) return undefined;
  return decompress(body, encoding, Math.min(maxInflatedAtOnce, maxEnvelopeBytes));
}

function coded(error: unknown): unknown {
  return error instanceof EnvelopeError ? new CodedError('ENVELOPE_MALFORMED', [error.message]) : error;
}

function scanBytes(bytes: Buffer, scan: Scan, maxEnvelopeBytes: number): void {
  if (bytes.length > maxEnvelopeBytes) throw new CodedError('BODY_TOO_LARGE', [maxEnvelopeBytes]);
  scan.bytes = bytes.length;
  scan.plain = bytes;
  const { header, itemsOffset } = readEnvelopeHeader(bytes);
  scan.header = header;
  scan.itemsOffset = itemsOffset;
  try {
    for (const { header: itemHeader, payload } of walkItems(bytes, itemsOffset)) {
      const item = scannedItem(itemHeader);
      scan.items.push(item);
      item.bytes = payload.length;
      item.end = payload.byteOffset - bytes.byteOffset + payload.length;
    }
  } catch (error) {
    countCutOff(bytes, scan);
    throw error;
  }
  // Once all of them are known, for all of them are refused.
  for (const item of scan.items) checkItemSize(item, item.bytes);
}

/** An item whose payload is cut off was sent, too. */
function countCutOff(bytes: Buffer, scan: Scan): void {
  const read = createScan();
  try {
    const scanner = createScanner(read);
    scanner.push(bytes);
    scanner.end();
  } catch {
    // It is damaged, as is known.
  }
  scan.items.push(...read.items.slice(scan.items.length));
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
