/** Files: what items have in the blob store, and exports that were written. */
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { createFinder, type Finder, type SoughtText } from '../../base/sought-text.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { State } from '../../ports/state/state.ts';
import { patient, removeItemsOf, removeWhere, type RowStores, type Search, shapeOf } from './rows.ts';

/** Of a file that is looked through as it comes: a text that two pieces share is found in both together. */
const sharedBytes = 4_096;
/** What is compressed is unpacked as far as that. */
const mostUnpackedBytes = 64 * 2 ** 20;

/** Whether a stored file has one of the texts: as it is, in UTF-16, and inside of what recordings and gzip compress. */
async function fileHas(blobs: Blobs, key: string, finder: Finder): Promise<boolean> {
  const stream = await blobs.stream(key);
  if (!stream) return false;
  let before: Buffer = Buffer.alloc(0);
  let head: Buffer[] = [];
  let headBytes = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    const bytes = Buffer.concat([before, piece]);
    if (finder.isIn(bytes) || (bytes.includes(0) && finder.isIn(Buffer.from(bytes.filter((byte) => byte !== 0)))))
      return true;
    before = bytes.subarray(Math.max(0, bytes.length - sharedBytes));
    if (headBytes < mostUnpackedBytes) head.push(Buffer.from(piece));
    headBytes += piece.length;
  }
  if (headBytes > mostUnpackedBytes) return false;
  const whole = Buffer.concat(head);
  head = [];
  const inside = unpacked(whole);
  return inside !== undefined && finder.isIn(inside);
}

function unpacked(bytes: Buffer): Buffer | undefined {
  const limit = { maxOutputLength: mostUnpackedBytes };
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, limit);
    if (bytes.readUInt32BE(0) === 0x28b52ffd) return zstdDecompressSync(bytes, limit);
    // A recording: a line of JSON, then what zlib made.
    const body = bytes.indexOf(0x0a) + 1;
    if (body > 0 && bytes[body] === 0x78) return inflateSync(bytes.subarray(body), limit);
  } catch {
    // No archive after all.
  }
  return undefined;
}

interface FileRow {
  readonly k: string;
  readonly blob: string;
  readonly project: number;
  readonly event: string;
}

const filesAtOnce = 1_000;

/** Items whose file names the person, and all that came with them. Resolves to how many; with `remove` they are gone. */
export async function itemsByFile(
  { events, blobs }: RowStores,
  search: Search,
  sought: readonly SoughtText[],
  { remove, signal }: { readonly remove: boolean; readonly signal: AbortSignal },
): Promise<number> {
  if (sought.length === 0) return 0;
  const finder = createFinder(sought);
  let after = '';
  let count = 0;
  for (;;) {
    const rows = await events.query<FileRow>(
      `SELECT blob_key AS blob, any(project_id) AS project, any(event_id) AS event FROM items
       WHERE project_id IN {projects:Array(UInt64)} AND blob_key > {after:String}
       GROUP BY blob_key ORDER BY blob_key LIMIT ${filesAtOnce}`,
      { projects: search.projectIds, after },
      { ...patient, signal },
    );
    for (const row of rows) {
      signal.throwIfAborted();
      if (!(await fileHas(blobs, row.blob, finder))) continue;
      count++;
      if (!remove) continue;
      await blobs.delete(row.blob);
      await removeItemsOf({ events, blobs }, search, [row], signal);
      await removeWhere(
        events,
        search,
        {
          shape: shapeOf(search, 'items'),
          condition: 'project_id = {project:UInt64} AND blob_key = {blob:String}',
          params: { project: row.project, blob: row.blob },
        },
        signal,
      );
    }
    if (rows.length < filesAtOnce) return count;
    after = rows.at(-1)?.blob ?? after;
  }
}

export const personFileKey = ({
  organizationId,
  id,
}: {
  readonly organizationId: string;
  readonly id: number;
}): string => `exports/${organizationId}/person-${id}`;

/** Exports of questions and of people that have one of the texts. */
export async function exportsWith(
  { state, blobs }: { readonly state: State; readonly blobs: Blobs },
  organizationId: string,
  sought: readonly SoughtText[],
  { remove, signal }: { readonly remove: boolean; readonly signal: AbortSignal },
): Promise<number> {
  if (sought.length === 0) return 0;
  const finder = createFinder(sought);
  const questions = await state.db
    .selectFrom('data_export')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'done')
    .execute();
  const people = await state.db
    .selectFrom('erasure')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('file_bytes', '>', 0)
    .execute();
  let count = 0;
  for (const { id } of questions) {
    signal.throwIfAborted();
    const key = `exports/${organizationId}/${id}`;
    if (!(await fileHas(blobs, key, finder))) continue;
    count++;
    if (!remove) continue;
    await blobs.delete(key);
    await state.db.deleteFrom('data_export').where('id', '=', id).execute();
  }
  for (const { id } of people) {
    const key = personFileKey({ organizationId, id: Number(id) });
    if (!(await fileHas(blobs, key, finder))) continue;
    count++;
    if (!remove) continue;
    await blobs.delete(key);
    await state.db.updateTable('erasure').set({ file_bytes: 0 }).where('id', '=', id).execute();
  }
  return count;
}
