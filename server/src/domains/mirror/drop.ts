/** Requests that wait are looked through, and those that are meant are dropped. */
import { buffer } from 'node:stream/consumers';
import { decompressedChunks } from '../../ingest/index.ts';
import type { EmbeddedLog, Position } from '../../ports/queue/log.ts';
import { createReader } from '../../ports/queue/seal.ts';
import { type Mirrored, readRecord } from './record.ts';

export interface WaitingRequest {
  /** As it was before it was compressed. */
  readonly body: Buffer;
  readonly remoteAddress: string | undefined;
}

export type IsMeant = (request: WaitingRequest) => boolean;

const limits = { maxRecords: 64, maxBytes: 8 * 2 ** 20 } as const;

/**
 * Nobody else leases from the log. What stays is set aside, and comes back, in its order, when the log is opened again: so a
 * kill in between loses nothing and doubles nothing.
 */
export async function dropFrom(log: EmbeddedLog, isMeant: IsMeant): Promise<number> {
  const open = createReader(log.reader);
  const end = await log.end();
  let dropped = 0;
  while (!(await log.isDoneBefore(end))) {
    const batch = await log.lease(limits);
    if (!batch) break;
    const { records, unreadable } = open(batch.records);
    const stays: Position[] = [...unreadable];
    for (const { position, value } of records) {
      const request = readRecord(value);
      if (isMeant({ body: await plain(request), remoteAddress: request.head.remoteAddress })) dropped++;
      else stays.push(position);
    }
    await log.acknowledge(batch, stays);
  }
  return dropped;
}

/** One that is damaged is looked at as it is. */
async function plain({ head, body }: Mirrored): Promise<Buffer> {
  if (head.encoding === '') return body;
  return buffer(decompressedChunks(body, head.encoding)).catch(() => body);
}
