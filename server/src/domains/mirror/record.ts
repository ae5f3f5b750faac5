/** A request as it waits in a spool. Layout: u32le length of the head, head as UTF-8 JSON, body as it came. */
import type { MirroredHead } from '../../ingest/index.ts';

export interface Mirrored {
  readonly head: MirroredHead;
  readonly body: Buffer;
}

export function recordParts(head: MirroredHead, body: Uint8Array): readonly Uint8Array[] {
  const json = JSON.stringify(head);
  const start = Buffer.allocUnsafe(4 + Buffer.byteLength(json));
  start.writeUInt32LE(start.length - 4);
  start.write(json, 4);
  return [start, body];
}

/** The body is a view on the record. */
export function readRecord(record: Uint8Array): Mirrored {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  const end = 4 + bytes.readUInt32LE(0);
  return { head: JSON.parse(bytes.toString('utf8', 4, end)) as MirroredHead, body: bytes.subarray(end) };
}
