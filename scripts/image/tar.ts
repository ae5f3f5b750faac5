/** Archives that are the same bytes for the same content: sorted names, one time, owners and modes by rule. */
import { createReadStream, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  /** Without a slash at either end. */
  readonly path: string;
  readonly mode: number;
  /** Of user and group; 0 unless said. */
  readonly owner?: number;
  /** None of them: a directory. */
  readonly content?: string | Buffer;
  readonly file?: string;
  readonly link?: string;
}

const block = 512;
const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

function header(name: string, type: string, size: number, time: number, { mode, owner = 0, link = '' }: Entry): Buffer {
  const bytes = Buffer.alloc(block);
  const fields: readonly (readonly [number, string])[] = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(owner, 8)],
    [116, octal(owner, 8)],
    [124, octal(size, 12)],
    [136, octal(time, 12)],
    [148, ' '.repeat(8)],
    [156, type],
    [157, link],
    [257, 'ustar'],
    [263, '00'],
  ];
  for (const [at, text] of fields) bytes.write(text, at, 'utf8');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

const padding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block);

/** What a header has no room for stands before it: a record says its own length. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = (digits: number): number => Buffer.byteLength(rest) + digits;
  const digits = String(length(String(length(1)).length)).length;
  return `${length(digits)}${rest}`;
}

/** Bytes that names and targets have in a header. */
const room = 100;
const fits = (text: string): boolean => Buffer.byteLength(text) <= room;

function* headers(entry: Entry, name: string, type: string, size: number, time: number): Generator<Buffer> {
  const { link = '' } = entry;
  const more = (fits(name) ? '' : record('path', name)) + (fits(link) ? '' : record('linkpath', link));
  if (more) {
    const content = Buffer.from(more);
    yield header('more', 'x', content.length, time, { path: '', mode: 0o644 });
    yield content;
    yield padding(content.length);
  }
  const short = (text: string): string => (fits(text) ? text : 'long');
  yield header(short(name), type, size, time, { ...entry, link: short(link) });
}

/** All entries, each with this time, in seconds. */
export async function* tarOf(entries: readonly Entry[], time: number): AsyncGenerator<Buffer> {
  for (const entry of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path, content, file, link } = entry;
    if (link !== undefined) yield* headers(entry, path, '2', 0, time);
    else if (content === undefined && file === undefined) yield* headers(entry, `${path}/`, '5', 0, time);
    else {
      const size = file === undefined ? Buffer.byteLength(content ?? '') : lstatSync(file).size;
      yield* headers(entry, path, '0', size, time);
      if (file === undefined) yield Buffer.from(content ?? '');
      else yield* createReadStream(file, { highWaterMark: 1 << 20 });
      yield padding(size);
    }
  }
  yield Buffer.alloc(2 * block);
}

/** Directories on the way to `path`, and it. */
export const directories = (path: string): Entry[] =>
  path.split('/').map((_, index, names) => ({ path: names.slice(0, index + 1).join('/'), mode: 0o755 }));

/** What lies below `dir`, as entries below `at`: anybody reads it, only root writes. */
export function entriesOf(dir: string, at: string, isKept: (path: string) => boolean = () => true): Entry[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true }).flatMap((found): Entry[] => {
    const file = join(found.parentPath, found.name);
    const below = file.slice(dir.length + 1);
    if (!isKept(below)) return [];
    const path = at ? `${at}/${below}` : below;
    if (found.isSymbolicLink()) return [{ path, mode: 0o777, link: readlinkSync(file) }];
    if (found.isDirectory()) return [{ path, mode: 0o755 }];
    return [{ path, mode: lstatSync(file).mode & 0o111 ? 0o755 : 0o644, file }];
  });
}
