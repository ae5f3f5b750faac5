/** Everything of an organisation, or of some of its projects, as documented files. One read after the other, a page at a time. */
import { version } from '../../base/version.ts';
import type { ExactRange } from '../../base/time-range.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { type Compression, type PartFacts, Parts, type Place, writeWhole } from './parts.ts';
import { jsonLine } from './records.ts';
import type { Scope } from './read.ts';
import { stateKinds } from './state.ts';
import { eventRecords, itemRecords, rowTables, type RowTable, tableRecords } from './telemetry.ts';

/** Of the layout of files and of what stands in them; counted up with what breaks readers. */
const formatVersion = 1;

export interface ExportStores {
  readonly state: State;
  readonly events: Events;
  readonly blobs: Blobs;
}

export interface ExportAsked extends Scope {
  readonly range: ExactRange;
  readonly compression: Compression;
  readonly signal: AbortSignal;
}

export interface Manifest {
  readonly format: number;
  readonly culprit: string;
  readonly createdAt: string;
  readonly organization: string;
  readonly projects: readonly string[];
  readonly since: string | null;
  readonly until: string;
  /** Records by kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly files: readonly (PartFacts & { readonly kind: string; readonly project?: string })[];
}

/** Resolves to what the manifest says, which is written last. */
export async function writeExport(
  stores: ExportStores,
  place: Place,
  asked: ExportAsked,
  onProgress: (kind: string, records: number) => void = () => {},
): Promise<Manifest> {
  const { range, compression, signal, projects } = asked;
  const files: Manifest['files'][number][] = [];
  const counts: Record<string, number> = {};
  const write = async (
    kind: string,
    project: string | undefined,
    extension: 'jsonl' | 'envelopes',
    pages: AsyncIterable<readonly Uint8Array[]>,
  ): Promise<void> => {
    const parts = new Parts(place, compression, project === undefined ? kind : `${kind}/${project}`, extension);
    for await (const page of pages) {
      signal.throwIfAborted();
      for (const record of page) await parts.add(record);
      onProgress(kind, (counts[kind] ?? 0) + parts.records);
    }
    await parts.end();
    counts[kind] = (counts[kind] ?? 0) + parts.records;
    files.push(...parts.files.map((file) => ({ ...file, kind, ...(project !== undefined && { project }) })));
  };

  for (const [kind, read] of Object.entries(stateKinds)) {
    await write(kind, undefined, 'jsonl', linesOf(read(stores.state, asked)));
  }
  for (const [projectId, slug] of projects) {
    const own = { projectId, slug, range, signal };
    await write('events', slug, 'envelopes', eventRecords(stores.events, own));
    await write('items', slug, 'envelopes', itemRecords(stores, own));
    for (const table of Object.keys(rowTables) as RowTable[]) {
      await write(table, slug, 'jsonl', tableRecords(stores.events, table, own));
    }
  }
  const manifest: Manifest = {
    format: formatVersion,
    culprit: version,
    createdAt: new Date().toISOString(),
    organization: asked.organization,
    projects: [...projects.values()],
    since: range.startMs > 0 ? new Date(range.startMs).toISOString() : null,
    until: new Date(range.endMs).toISOString(),
    counts,
    files,
  };
  await writeWhole(place, 'manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await place.close();
  return manifest;
}

async function* linesOf(pages: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array[]> {
  for await (const page of pages) yield page.map(jsonLine);
}
