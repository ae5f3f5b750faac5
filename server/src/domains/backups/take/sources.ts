/** What a backup is made of: the files of a moment, put together to objects that stay the same as long as their files do. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync, type BigIntStats } from 'node:fs';
import { join, relative } from 'node:path';
import { isMissing } from '../../../base/files.ts';
import type { LinkedFile } from '../../../ports/payloads/snapshot.ts';

export interface SourcePart {
  /** In the data directory, with `/`. */
  readonly path: string;
  /** Where it is read. */
  readonly file: string;
  readonly from: number;
  readonly size: number;
}

export interface Source {
  /** Tells whether it was read before; '' where that is found out by reading it. */
  readonly same: string;
  readonly isCompressed: boolean;
  readonly parts: readonly SourcePart[];
}

export interface FrozenTables {
  readonly sources: readonly Source[];
  readonly links: readonly (readonly [path: string, target: string])[];
  readonly rows: ReadonlyMap<string, number>;
}

/** What is written to in places is cut into pieces, so that the others stay the same. */
const pieceBytes = 4 * 1024 * 1024;
/** Smaller files of one folder are put together, up to so much. */
const smallBytes = 256 * 1024;
const groupBytes = 8 * 1024 * 1024;

export const sizeOf = ({ parts }: Pick<Source, 'parts'>): number => parts.reduce((sum, { size }) => sum + size, 0);

export function pieces(file: string, path: string): Source[] {
  const { size } = statSync(file);
  return Array.from({ length: Math.max(1, Math.ceil(size / pieceBytes)) }, (_, index) => {
    const from = index * pieceBytes;
    return { same: '', isCompressed: true, parts: [{ path, file, from, size: Math.min(pieceBytes, size - from) }] };
  });
}

/** Tables as the engine has frozen them: a part of a table never changes, and its name and checksums say which it is. */
export function frozenTables(dir: string): FrozenTables {
  const sources: Source[] = [];
  const links: [string, string][] = [];
  const loose: SourcePart[] = [];
  const rowsOf = new Map<string, number>();
  const nameOf = new Map<string, string>();
  const pathOf = (file: string): string => `events/${relative(dir, file)}`;

  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = join(folder, entry.name);
      if (entry.isSymbolicLink()) links.push([pathOf(file), readlinkSync(file)]);
      else if (entry.isDirectory() && existsSync(join(file, 'checksums.txt'))) {
        sources.push(partOf(file, pathOf(file)));
        const table = /store\/\w+\/([\w-]+)\//.exec(file)?.[1] ?? '';
        rowsOf.set(table, (rowsOf.get(table) ?? 0) + Number(readFileSync(join(file, 'count.txt'), 'utf8')));
      } else if (entry.isDirectory()) walk(file);
      else {
        loose.push({ path: pathOf(file), file, from: 0, size: statSync(file).size });
        const uuid = entry.name.endsWith('.sql') && /UUID '([\w-]+)'/.exec(readFileSync(file, 'utf8'))?.[1];
        if (uuid) nameOf.set(uuid, entry.name.replace(/\.sql$/, ''));
      }
    }
  };
  walk(dir);
  sources.push({ same: '', isCompressed: true, parts: loose });
  const rows = [...nameOf].flatMap(([uuid, name]) => {
    const count = rowsOf.get(uuid);
    return count === undefined ? [] : [[name, count] as const];
  });
  return { sources, links, rows: new Map(rows) };
}

function partOf(folder: string, path: string): Source {
  const checksums = createHash('sha256')
    .update(readFileSync(join(folder, 'checksums.txt')))
    .digest('base64url');
  const files = filesIn(folder).map((file) => {
    const name = relative(folder, file);
    return { path: `${path}/${name}`, file, from: 0, size: lstatSync(file).size };
  });
  return { same: `part ${path} ${checksums}`, isCompressed: false, parts: files };
}

/** Below a folder, in order. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));
}

/** Files that are replaced and never written to in place, but for segments that are still written. */
const sameOf = (path: string, { size, mtimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): string =>
  `file ${path} ${size} ${mtimeNs} ${ino}`;

export function segmentSources(dir: string, linked: readonly LinkedFile[]): Source[] {
  return linked.map(({ path, size }) => {
    const file = join(dir, path);
    const whole = `payloads/${path}`;
    return {
      same: path.endsWith('.packed') ? sameOf(whole, statSync(file, { bigint: true })) : '',
      isCompressed: false,
      parts: [{ path: whole, file, from: 0, size }],
    };
  });
}

/** Blobs lie compressed where that pays. One that is gone by the time it is read was deleted after the moment. */
export function* blobSources(dir: string, path = 'blobs'): Generator<Source, void, void> {
  let group: SourcePart[] = [];
  let same: string[] = [];
  const ended = (): Source => {
    const source = { same: same.join('\n'), isCompressed: false, parts: group };
    [group, same] = [[], []];
    return source;
  };
  const folders: string[] = [];
  for (const entry of sorted(dir)) {
    const file = join(dir, entry.name);
    const own = `${path}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) folders.push(entry.name);
    if (!entry.isFile()) continue;
    const stats = statsOf(file);
    if (!stats) continue;
    const part = { path: own, file, from: 0, size: Number(stats.size) };
    if (part.size > smallBytes) {
      yield { same: sameOf(own, stats), isCompressed: false, parts: [part] };
      continue;
    }
    group.push(part);
    same.push(sameOf(own, stats));
    if (sizeOf({ parts: group }) > groupBytes) yield ended();
  }
  if (group.length > 0) yield ended();
  for (const name of folders) yield* blobSources(join(dir, name), `${path}/${name}`);
}

function sorted(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function statsOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
