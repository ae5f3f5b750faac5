import { statfs } from 'node:fs/promises';

/** How long one look at the disk counts. */
const sampleMs = 1000;

export interface Room {
  /** False when the disk is so full that appending could fail. Looks at the disk from time to time, not per call. */
  enough(): boolean;
}

/**
 * Watches the room on the disk of `dir`. Pages inside the log's file that hold nothing count as room: the file
 * shrinks late, and a log that filled the disk must take events again once it is drained.
 */
export async function watchRoom(options: {
  readonly dir: string;
  /** Bytes that are left to others, and to the log's own bookkeeping. */
  readonly reserveBytes: number;
  readonly usedBytes: () => number;
  readonly fileBytes: () => number;
}): Promise<Room> {
  let enough = true;
  let sampledAt = 0;
  const sample = async (): Promise<void> => {
    sampledAt = performance.now();
    const disk = await statfs(options.dir);
    // A fifth on top of what is used, for pages that are partly filled.
    const reusable = Math.max(0, options.fileBytes() - 1.2 * options.usedBytes());
    enough = disk.bavail * disk.bsize + reusable >= options.reserveBytes;
  };
  await sample();
  return {
    enough() {
      // A look that fails tells nothing; the append itself will then say what is wrong.
      if (performance.now() - sampledAt > sampleMs) sample().catch(() => (enough = true));
      return enough;
    },
  };
}

const outOfSpace = new Set<unknown>([
  28 /* ENOSPC */, 122 /* EDQUOT */, -30792 /* MDB_MAP_FULL */, -30788 /* MDB_TXN_FULL */,
]);
const inputOutput = 5; /* EIO */
/** A write that the disk took only in part; LMDB writes no more than this at once. */
const largestWrite = 128 * 2 ** 20;

/** Whether a write to LMDB failed for want of room. It calls a write that the disk took in part an input/output error. */
export async function isOutOfSpace(dir: string, error: unknown): Promise<boolean> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== inputOutput) return outOfSpace.has(code);
  const disk = await statfs(dir);
  return disk.bavail * disk.bsize < largestWrite;
}
