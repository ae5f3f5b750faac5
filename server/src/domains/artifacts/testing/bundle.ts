/** Artifact bundles written by hand, so that tests can make them lie. */
import { createHash, randomUUID } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

/** A file of the zip; what is given beside name and content replaces the truth. */
export interface ZipFile {
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly deflate?: boolean;
  /** Already deflated content, of so many bytes. */
  readonly deflated?: Uint8Array;
  readonly bytes?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly offset?: number;
}

export interface ZipOptions {
  /** Before the zip; the header of a bundle unless given. */
  readonly head?: Uint8Array;
  /** What the directory says that it has. */
  readonly entryCount?: number;
}

const bundleHead = Buffer.from([0x53, 0x59, 0x53, 0x42, 2, 0, 0, 0]);

export function makeZip(files: Iterable<ZipFile>, { head = bundleHead, entryCount }: ZipOptions = {}): Buffer {
  const parts: Uint8Array[] = [head];
  const directory: Uint8Array[] = [];
  let at = head.length;
  let count = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const content = typeof file.content === 'string' ? Buffer.from(file.content) : file.content;
    const data = file.deflated ?? (file.deflate ? deflateRawSync(content) : content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800 | (file.flags ?? 0), 2);
    fields.writeUInt16LE(file.method ?? (file.deflate || file.deflated ? 8 : 0), 4);
    fields.writeUInt32LE(file.crc ?? crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(file.bytes ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), fields, name, data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(file.offset ?? at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, name);
    at += 30 + name.length + data.length;
    count += 1;
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...parts, ...directory, zipEnd(entryCount ?? count, directoryBytes, at)]);
}

/** What stands at the end of a zip whose directory has so many entries and bytes, and begins at `at`. */
export function zipEnd(entries: number, directoryBytes: number, at: number): Buffer {
  const end: Uint8Array[] = [];
  if (entries > 0xfffe) {
    const record = Buffer.alloc(56);
    record.write('PK\x06\x06', 'latin1');
    record.writeBigUInt64LE(44n, 4);
    record.writeBigUInt64LE(BigInt(entries), 24);
    record.writeBigUInt64LE(BigInt(entries), 32);
    record.writeBigUInt64LE(BigInt(directoryBytes), 40);
    record.writeBigUInt64LE(BigInt(at), 48);
    const locator = Buffer.alloc(20);
    locator.write('PK\x06\x07', 'latin1');
    locator.writeBigUInt64LE(BigInt(at + directoryBytes), 8);
    locator.writeUInt32LE(1, 16);
    end.push(record, locator);
  }
  const last = Buffer.alloc(22);
  last.write('PK\x05\x06', 'latin1');
  last.writeUInt16LE(Math.min(entries, 0xffff), 8);
  last.writeUInt16LE(Math.min(entries, 0xffff), 10);
  last.writeUInt32LE(directoryBytes, 12);
  last.writeUInt32LE(at, 16);
  return Buffer.concat([...end, last]);
}

export interface Script {
  /** Of the script, below `~/assets/`. */
  readonly name: string;
  readonly debugId?: string;
  /** JSON of the map; a small valid one unless given, none for null. */
  readonly map?: string | Uint8Array | null;
  readonly text?: string;
  /** What the script says where its map is. */
  readonly sourceMap?: string;
}

/** `const total = price();` at 1:1, in src/shop.ts. */
export const smallMap = (file = 'shop'): string =>
  JSON.stringify({
    version: 3,
    sources: [`../src/${file}.ts`],
    sourcesContent: ['const total = price();\n'],
    names: ['total', 'price'],
    mappings: 'AAAMA,QAAQC',
  });

export interface ManifestFile {
  readonly type: string;
  readonly url?: unknown;
  readonly headers?: unknown;
}

/** Zip files of the scripts with their maps and a manifest, as a bundler plugin lays them out. */
export function filesOf(scripts: readonly Script[]): ZipFile[] {
  const manifest: Record<string, ManifestFile> = {};
  const files: ZipFile[] = [];
  for (const { name, debugId, map = smallMap(), text = 'a=b();', sourceMap = `${name}.map` } of scripts) {
    const id = debugId === undefined ? {} : { 'Debug-Id': debugId };
    const path = `_/_/assets/${name}`;
    manifest[path] = { type: 'minified_source', url: `~/assets/${name}`, headers: { ...id, Sourcemap: sourceMap } };
    files.push({ name: path, content: text });
    if (map === null) continue;
    manifest[`${path}.map`] = { type: 'source_map', url: `~/assets/${name}.map`, headers: id };
    files.push({ name: `${path}.map`, content: map, deflate: true });
  }
  return [{ name: 'manifest.json', content: JSON.stringify({ files: manifest }) }, ...files];
}

export const makeBundle = (scripts: readonly Script[] = [{ name: 'shop.js', debugId: randomUUID() }]): Buffer =>
  makeZip(filesOf(scripts));

export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
