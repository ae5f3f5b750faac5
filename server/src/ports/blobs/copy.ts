/** Makes one place of blobs what another is, while that is written to. */
import type { Blobs } from './blobs.ts';

/** Which value of each key was copied. To be kept: with it a copy goes on where it was. */
export interface BlobJournal {
  readonly copied: ReadonlyMap<string, string>;
  /** Undefined: it is gone. */
  note(key: string, version: string | undefined): Promise<void>;
}

export interface BlobsPass {
  readonly blobs: number;
  readonly bytes: number;
  /** Written in this pass, and removed. */
  readonly written: number;
  readonly removed: number;
}

export interface BlobEnds {
  readonly source: Blobs;
  readonly target: Blobs;
  readonly signal: AbortSignal;
  /** Told of bytes on their way. Resolves when more may be sent. */
  readonly onBytes: (bytes: number) => Promise<void>;
}

const atOnce = 8;

export async function copyBlobs(journal: BlobJournal, ends: BlobEnds): Promise<BlobsPass> {
  const sum = { blobs: 0, bytes: 0, written: 0, removed: 0 };
  const seen = new Set<string>();
  const running = new Set<Promise<void>>();
  const failed: unknown[] = [];
  for await (const { key, bytes, version } of ends.source.list('')) {
    ends.signal.throwIfAborted();
    seen.add(key);
    sum.blobs += 1;
    sum.bytes += bytes;
    if (journal.copied.get(key) === version) continue;
    const copying: Promise<void> = copyBlob(key, version, journal, ends)
      .then(() => void (sum.written += 1))
      .catch((error: unknown) => void failed.push(error))
      .finally(() => running.delete(copying));
    running.add(copying);
    if (running.size >= atOnce) await Promise.race(running);
    if (failed.length) break;
  }
  await Promise.all(running);
  if (failed.length) throw failed[0];
  for (const key of journal.copied.keys()) {
    if (seen.has(key)) continue;
    await ends.target.delete(key);
    await journal.note(key, undefined);
    sum.removed += 1;
  }
  return sum;
}

async function copyBlob(
  key: string,
  version: string,
  journal: BlobJournal,
  { source, target, signal, onBytes }: BlobEnds,
): Promise<void> {
  const whole = await source.whole(key);
  // It was deleted since it was listed; the next pass sees that.
  if (!whole) return;
  const counted = async function* () {
    for await (const piece of whole.pieces) {
      signal.throwIfAborted();
      await onBytes(piece.length);
      yield piece;
    }
  };
  await target.putStream(key, counted(), { asIs: whole.asIs });
  await journal.note(key, version);
}
