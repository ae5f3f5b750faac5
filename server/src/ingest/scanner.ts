/**
 * Scans an envelope that comes in pieces, holding no more of it than one header line. Its grammar is that of `walkItems`.
 *
 *     envelope header ─line─► between ─byte─► item header ─line─► payload of a length ─all─► after it ─newline─► between
 *                                                          └────► payload up to the newline ────────────────────► between
 */
import { defaultLimits, EnvelopeError, readEnvelopeHeader, type ItemHeader, envelopeTexts } from '@culprit/envelope';
import { checkItemSize, scannedItem, type Scan, type ScannedItem } from './scan.ts';

type State = 'envelopeHeader' | 'between' | 'itemHeader' | 'sizedPayload' | 'afterPayload' | 'linePayload';

export interface Scanner {
  push(chunk: Buffer): void;
  /** Call when all has been pushed; throws when the envelope is cut off. */
  end(): void;
}

const newline = 0x0a;
/** Clients write one or two too many. Millions of them, compressed to nothing, would cost more than any payload. */
const maxBlankLines = 10_000;

/**
 * Header and items are added to `scan`; throws `EnvelopeError` or ITEM_TOO_LARGE. `checkEnd` hears how far an item says
 * that it reaches before any of that is decompressed, and may throw.
 */
export function createScanner(scan: Scan, checkEnd: (end: number) => void = () => {}): Scanner {
  let state: State = 'envelopeHeader';
  /** Bytes before the current chunk. */
  let passed = 0;
  let line: Buffer[] = [];
  let lineBytes = 0;
  let lineStart = 0;
  let item: ScannedItem | undefined;
  let blankLines = 0;

  function countBlankLine(): void {
    if (++blankLines <= maxBlankLines) return;
    throw new EnvelopeError('item_header_invalid', passed, envelopeTexts.tooManyBlankLines(maxBlankLines));
  }

  function addToLine(piece: Buffer): void {
    lineBytes += piece.length;
    if (lineBytes > defaultLimits.maxHeaderBytes) {
      throw new EnvelopeError('header_too_large', lineStart, envelopeTexts.headerTooLong(defaultLimits.maxHeaderBytes));
    }
    line.push(piece);
  }

  function takeLine(): Buffer {
    const bytes = Buffer.concat(line, lineBytes);
    line = [];
    lineBytes = 0;
    return bytes;
  }

  function grow(bytes: number): void {
    if (!item) return;
    item.bytes += bytes;
    item.end += bytes;
  }

  function endEnvelopeHeader(): void {
    const bytes = takeLine();
    scan.header = readEnvelopeHeader(bytes).header;
    scan.itemsOffset = bytes.length + 1;
    state = 'between';
  }

  function endItemHeader(): void {
    const payloadStart = lineStart + lineBytes + 1;
    const bytes = takeLine();
    if (bytes.length === 1 && bytes[0] === 0x0d) {
      countBlankLine();
      state = 'between';
      return;
    }
    if (scan.items.length >= defaultLimits.maxItems) {
      throw new EnvelopeError('too_many_items', lineStart, envelopeTexts.tooManyItems(defaultLimits.maxItems));
    }
    item = scannedItem(readItemHeader(bytes, lineStart));
    scan.items.push(item);
    item.end = payloadStart;
    const { length } = item.header;
    if (length !== undefined) {
      checkItemSize(item, length);
      checkEnd(payloadStart + length);
    }
    state = length === undefined ? 'linePayload' : length === 0 ? 'afterPayload' : 'sizedPayload';
  }

  /** Takes what the state wants of the chunk from `at` on; returns where the rest starts. */
  function step(chunk: Buffer, at: number): number {
    switch (state) {
      case 'envelopeHeader':
      case 'itemHeader': {
        const end = chunk.indexOf(newline, at);
        addToLine(chunk.subarray(at, end === -1 ? chunk.length : end));
        if (end === -1) return chunk.length;
        if (state === 'envelopeHeader') endEnvelopeHeader();
        else endItemHeader();
        return end + 1;
      }
      case 'between':
        if (chunk[at] === newline) {
          countBlankLine();
          return at + 1;
        }
        state = 'itemHeader';
        lineStart = passed + at;
        return at;
      case 'sizedPayload': {
        const wanted = (item?.header.length ?? 0) - (item?.bytes ?? 0);
        const taken = Math.min(wanted, chunk.length - at);
        grow(taken);
        if (taken === wanted) state = 'afterPayload';
        return at + taken;
      }
      case 'afterPayload':
        if (chunk[at] !== newline) {
          throw new EnvelopeError('item_unterminated', passed + at, envelopeTexts.unterminated(item?.bytes));
        }
        state = 'between';
        return at + 1;
      case 'linePayload': {
        const end = chunk.indexOf(newline, at);
        grow((end === -1 ? chunk.length : end) - at);
        if (item) checkItemSize(item, item.bytes);
        if (end === -1) return chunk.length;
        state = 'between';
        return end + 1;
      }
    }
  }

  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length) at = step(chunk, at);
      passed += chunk.length;
    },
    end() {
      if (state === 'envelopeHeader') endEnvelopeHeader();
      else if (state === 'itemHeader') endItemHeader();
      if (state !== 'sizedPayload') return;
      throw new EnvelopeError('item_truncated', passed, envelopeTexts.truncated(item?.header.length, item?.bytes));
    },
  };
}

function readItemHeader(bytes: Buffer, offset: number): ItemHeader {
  const header = parseLine(bytes, offset);
  const { type, length } = header;
  if (typeof type !== 'string' || type === '') {
    throw new EnvelopeError('item_type_missing', offset, envelopeTexts.noType);
  }
  if (length === null || length === undefined) return { ...header, type, length: undefined };
  if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) return { ...header, type, length };
  throw new EnvelopeError('item_length_invalid', offset, envelopeTexts.badLength());
}

/** A header line of an item has the form of an envelope header. */
function parseLine(bytes: Buffer, offset: number): Record<string, unknown> {
  try {
    return readEnvelopeHeader(bytes).header;
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new EnvelopeError('item_header_invalid', offset, envelopeTexts.notItemHeader);
  }
}
