/**
 * An earlier version wrote records in the clear, and LMDB leaves what was deleted in pages that are free. So a log of such
 * a version is written anew once, record by record, sealed, and takes the place of the old file in one step. What cannot
 * be written anew, for it is very large or the disk is full, is read as it is, and tried again at the next start.
 */
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSealed } from '../../base/secrets/index.ts';
import type { LmdbLogOptions } from './lmdb.ts';
import type { LogRecord } from './log.ts';
import { inChunks, logFile, type LmdbStore, openLmdbStore } from './lmdb-store.ts';
import { createRecordSeal } from './seal.ts';

/** More would keep the start waiting. */
const maxBytes = 2 ** 30;
const draftFile = 'log-new.mdb';

export async function sealEarlier(options: LmdbLogOptions): Promise<void> {
  const { dir, warn } = options;
  if (!(await stat(join(dir, logFile)).catch(() => undefined))) return;
  const before = openLmdbStore(options);
  try {
    if (before.isSealed || before.countAside() > 0) return;
    if (before.head.bytes > maxBytes) {
      warn?.(
        'the log contains more than 1 GiB of unencrypted data from an earlier version; a start with less removes it',
      );
      return;
    }
    await removeDraft(dir);
    await writeAnew(before, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn?.(`unencrypted data of an earlier version is still in the log: ${why}. The next start tries again`);
    await removeDraft(dir);
    return;
  } finally {
    await before.close();
  }
  await rename(join(dir, draftFile), join(dir, logFile));
  for (const file of [logFile, draftFile]) await rm(join(dir, `${file}-lock`), { force: true });
  await using folder = await open(dir, 'r');
  await folder.sync();
}

async function writeAnew(before: LmdbStore, options: LmdbLogOptions): Promise<void> {
  const draft = openLmdbStore({ ...options, file: draftFile, logId: before.logId });
  try {
    const { seal } = createRecordSeal({ logId: before.logId, box: options.box });
    const batches = before.batches.map((batch) => ({ ...batch, bytes: 0 }));
    const head = { ...before.head, bytes: 0 };
    for (const chunk of inChunks((start) => before.read(start))) {
      const append: LogRecord[] = chunk.map(({ position, value }) => ({
        position,
        value: isSealed(value) ? value : seal(position, [value]),
      }));
      for (const { position, value } of append) {
        head.bytes += value.length;
        const batch = batches.find(({ from, to }) => position >= from && position <= to);
        if (batch) batch.bytes += value.length;
      }
      await draft.write({ head, append, lease: [], acknowledge: [] });
    }
    await draft.write({ head, append: [], lease: batches, acknowledge: [] });
  } finally {
    await draft.close();
  }
}

async function removeDraft(dir: string): Promise<void> {
  for (const file of [draftFile, `${draftFile}-lock`]) await rm(join(dir, file), { force: true });
}
