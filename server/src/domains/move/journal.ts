/** How far a move is, in the folder `moving` of the data directory: with it the next run goes on where this one stopped. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ignoreMissing, writeDurable } from '../../base/files.ts';
import type { BlobJournal } from '../../ports/blobs/copy.ts';
import type { Copied, Journal as EventsJournal } from '../../ports/events/copy/copy.ts';
import type { Places } from './marks.ts';

const copiedSchema = z.object({
  through: z.number(),
  rows: z.number(),
  parts: z.array(z.string()).readonly(),
  isOpen: z.boolean(),
});

const journalSchema = z.object({
  id: z.string(),
  to: z.record(z.string(), z.string()),
  startedAt: z.number(),
  /** The events store that it is copied to was found empty, and is this move's. */
  hasEvents: z.boolean(),
  partitions: z.record(z.string(), copiedSchema),
});

export interface MoveJournal extends AsyncDisposable {
  readonly id: string;
  readonly to: Places;
  readonly startedAt: number;
  readonly isResumed: boolean;
  hasEvents: boolean;
  readonly events: EventsJournal;
  readonly blobs: BlobJournal;
  save(): Promise<void>;
  writeReport(report: unknown): Promise<string>;
}

export const journalDir = (dataDir: string): string => join(dataDir, 'moving');

export async function forgetJournal(dataDir: string): Promise<void> {
  await rm(join(journalDir(dataDir), 'journal.json'), { force: true });
  await rm(join(journalDir(dataDir), 'blobs'), { force: true });
}

/** Goes on with the one that is there, where it is of a move to the same places. */
export async function openJournal(dataDir: string, to: Places, fresh: () => string): Promise<MoveJournal> {
  const dir = journalDir(dataDir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'journal.json');
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  const found = text === undefined ? undefined : journalSchema.safeParse(JSON.parse(text)).data;
  const isSame = found !== undefined && JSON.stringify(found.to) === JSON.stringify(to);
  if (!isSame) await forgetJournal(dataDir);
  const about = isSame ? found : { id: fresh(), to, startedAt: Date.now(), hasEvents: false, partitions: {} };
  const partitions = new Map<string, Copied>(Object.entries(about.partitions));
  const blobsPath = join(dir, 'blobs');
  const blobs = await openBlobJournal(blobsPath);
  const journal = {
    id: about.id,
    to,
    startedAt: about.startedAt,
    isResumed: isSame,
    hasEvents: about.hasEvents,
    events: {
      partitions,
      async note(key, copied) {
        if (copied) partitions.set(key, copied);
        else partitions.delete(key);
        await save();
      },
    } satisfies EventsJournal,
    blobs,
    save: () => save(),
    async writeReport(report: unknown) {
      const place = join(dir, `report-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.json`);
      await writeDurable(place, `${JSON.stringify(report, null, 2)}\n`);
      return place;
    },
    [Symbol.asyncDispose]: () => blobs.close(),
  };
  const save = (): Promise<void> =>
    writeDurable(
      path,
      JSON.stringify({ ...about, hasEvents: journal.hasEvents, partitions: Object.fromEntries(partitions) }),
    );
  await save();
  return journal;
}

/** A line a blob. What a kill takes of it is copied once more. */
async function openBlobJournal(path: string): Promise<BlobJournal & { close(): Promise<void> }> {
  const copied = new Map<string, string>();
  for (const line of ((await readFile(path, 'utf8').catch(ignoreMissing)) ?? '').split('\n')) {
    const [key = '', version] = line.split('\t');
    if (version === undefined) continue;
    if (version === '') copied.delete(key);
    else copied.set(key, version);
  }
  const file: WriteStream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  return {
    copied,
    async note(key, version) {
      if (version === undefined) copied.delete(key);
      else copied.set(key, version);
      await new Promise<void>((resolve, reject) =>
        file.write(`${key}\t${version ?? ''}\n`, (error) => (error ? reject(error) : resolve())),
      );
    },
    close: () => new Promise((resolve) => file.end(resolve)),
  };
}
