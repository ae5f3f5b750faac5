/** What a backup says of itself. */
import * as z from 'zod';

/** What an object holds, in its order: the path in the data directory, bytes, and from where in the file they are. */
const part = z.tuple([z.string(), z.int().nonnegative(), z.int().nonnegative()]);

const object = z.object({
  /** Hash of what it holds. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of its file. */
  stored: z.int().nonnegative(),
  /** The same where what it is made of is the same, so that it need not be read; '' where it is read each time. */
  same: z.string(),
  parts: z.array(part),
});

const counts = z.record(z.string(), z.int());

/** What lists show, in the clear beside the manifest. Times are ms since the epoch. */
const summary = z.object({
  format: z.literal(1),
  id: z.string().regex(/^\d{8}t\d{6}-[0-9a-f]{6}$/),
  /** Version of the program. */
  program: z.string(),
  /** Whoever restores it has what was acknowledged before this. */
  startedAt: z.int(),
  /** The moment that it shows. */
  snapshotAt: z.int(),
  finishedAt: z.int(),
  /** Bytes of the files that it restores, of its objects in the repository, and of those that were new. */
  bytes: z.int(),
  stored: z.int(),
  added: z.int(),
  objects: z.int(),
  newObjects: z.int(),
  /** Rows by table, issues, projects. */
  counts,
  /** Records in the log at that moment, and the position of the next one. */
  log: z.object({ records: z.int(), next: z.int() }),
  key: z.object({ fingerprint: z.string(), isIncluded: z.boolean() }),
  /** Public address of the installation; '' where it was not known. */
  url: z.string(),
  /** What lies elsewhere, and is to be backed up there. */
  elsewhere: z.array(z.enum(['state', 'events', 'log', 'blobs'])),
  /** Hash of the manifest. */
  manifest: z.string(),
});

export const summarySchema = summary;
export const manifestSchema = z.object({
  summary: summary.omit({ manifest: true }),
  objects: z.array(object),
  /** Symbolic links: path and target. */
  links: z.array(z.tuple([z.string(), z.string()])),
});

export type Summary = z.infer<typeof summary>;
export type Manifest = z.infer<typeof manifestSchema>;
export type StoredObject = z.infer<typeof object>;

/** Sorts by time. */
export const backupId = (at: number, random: string): string =>
  `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}-${random}`;
