/**
 * Looks through an envelope before it is accepted: its structure, and the size of every item. Payloads are not parsed.
 *
 * An item above the limit of its type refuses the whole envelope: what can grow that large (an event, a recording) is
 * what the rest of its envelope belongs to.
 */
import { itemQuantity, itemType, type EnvelopeHeader, type ItemHeader, type ItemType } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';

export interface ScannedItem {
  readonly type: ItemType;
  readonly header: ItemHeader;
  /** How many it counts for. */
  readonly quantity: number;
  /** Of the payload. */
  bytes: number;
  /** Where its payload ends in the envelope, decompressed; what stands between the item before and here is its own. */
  end: number;
}

/** Filled in as the scan goes on, so that a refused envelope is known as far as it was read. */
export interface Scan {
  header: EnvelopeHeader | undefined;
  readonly items: ScannedItem[];
  /** Where the items begin. */
  itemsOffset: number;
  /** Decompressed. */
  bytes: number;
  /** The envelope, where it was decompressed at once. */
  plain: Buffer | undefined;
}

export function createScan(): Scan {
  return { header: undefined, items: [], itemsOffset: 0, bytes: 0, plain: undefined };
}

export function scannedItem(header: ItemHeader): ScannedItem {
  const type = itemType(header.type);
  return { type, header, quantity: itemQuantity(type, header), bytes: 0, end: 0 };
}

/** Throws ITEM_TOO_LARGE when the payload is larger than its type allows. */
export function checkItemSize(item: ScannedItem, bytes: number): void {
  if (bytes <= item.type.maxBytes) return;
  throw new CodedError('ITEM_TOO_LARGE', [printable(item.type.name), bytes, item.type.maxBytes]);
}

/** The name is the client's text and goes into headers and logs. */
function printable(name: string): string {
  return JSON.stringify(name.slice(0, 50));
}
