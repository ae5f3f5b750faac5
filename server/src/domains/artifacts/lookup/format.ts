/**
 * The lookup file: what a source map says, so that a frame is found by reading a few kB of it. All numbers of the header and
 * the index are 4 bytes, little-endian; lines and columns count from 0.
 *
 * - header: magic, version, bytes of the index, bytes of the file, numbers of tokens, sources and names, then how many pages,
 *   blocks of names, blocks of sources and chunks of text there are
 * - index, a list each: where each page begins (line, column, offset in the file), the offsets of the blocks of names and of
 *   those of sources, where each chunk begins (source, line, offset)
 * - pages (pages.ts): tokens and functions by place in generated code
 * - names, sources (strings.ts): texts in blocks; a source begins with `1` when the map says to ignore it, else with `0`
 * - chunks (contents.ts): the text of the sources, compressed
 *
 * A reader takes the header and the index once. Then a place costs one page and the blocks of its names, a source line one chunk.
 */
import type { NumberList } from './bytes.ts';
import type { ContentsWriter } from './contents.ts';
import type { PageWriter } from './pages.ts';
import type { TableWriter } from './strings.ts';

/** Of the file; rises whenever it is written or must be read differently. */
export const lookupVersion = 1;

const magic = 0x504b_4c43;
export const headerBytes = 44;
const headerNumbers = headerBytes / 4;

interface Written {
  readonly tokens: number;
  readonly names: TableWriter;
  readonly sources: TableWriter;
  readonly pages: PageWriter;
  readonly contents: ContentsWriter;
}

/** Header and index. */
export function encodeHeader({ tokens, names, sources, pages, contents }: Written): Uint8Array {
  const lists: { readonly list: NumberList; readonly base: number }[] = [];
  const entries =
    3 * pages.offsets.length + names.offsets.length + sources.offsets.length + 3 * contents.offsets.length;
  let base = headerBytes + entries * 4;
  const add = (plain: readonly NumberList[], offsets: NumberList, bytes: number): void => {
    for (const list of plain) lists.push({ list, base: 0 });
    lists.push({ list: offsets, base });
    base += bytes;
  };
  add([pages.lines, pages.columns], pages.offsets, pages.sink.length);
  add([], names.offsets, names.sink.length);
  add([], sources.offsets, sources.sink.length);
  add([contents.sources, contents.lines], contents.offsets, contents.sink.length);
  const bytes = new Uint8Array(headerBytes + entries * 4);
  const view = new DataView(bytes.buffer);
  const head = [
    magic,
    lookupVersion,
    entries * 4,
    base,
    tokens,
    sources.count,
    names.count,
    pages.offsets.length,
    names.offsets.length,
    sources.offsets.length,
    contents.offsets.length,
  ];
  let at = 0;
  const put = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  for (const value of head) put(value);
  for (const { list, base } of lists) for (const value of list.view()) put(value + base);
  return bytes;
}

/** Where blocks lie in the file: each ends where the next begins. */
export interface Blocks {
  readonly offsets: Uint32Array;
  readonly end: number;
}

export interface Header {
  readonly indexBytes: number;
  readonly totalBytes: number;
  readonly sourceCount: number;
  readonly nameCount: number;
  readonly counts: {
    readonly pages: number;
    readonly names: number;
    readonly sources: number;
    readonly chunks: number;
  };
}

export interface Index {
  readonly pageLines: Uint32Array;
  readonly pageColumns: Uint32Array;
  readonly pages: Blocks;
  readonly names: Blocks;
  readonly sources: Blocks;
  readonly chunkSources: Uint32Array;
  readonly chunkLines: Uint32Array;
  readonly chunks: Blocks;
}

/** Throws when the bytes are no lookup file of this version. */
export function decodeHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerBytes || view.getUint32(0, true) !== magic) throw new Error('this is no lookup file');
  const [
    ,
    version,
    indexBytes = 0,
    totalBytes = 0,
    ,
    sourceCount = 0,
    nameCount = 0,
    pages = 0,
    names = 0,
    sources = 0,
    chunks = 0,
  ] = Array.from({ length: headerNumbers }, (_, index) => view.getUint32(index * 4, true));
  if (version !== lookupVersion) throw new Error(`the lookup file has version ${version}, not ${lookupVersion}`);
  const header = { indexBytes, totalBytes, sourceCount, nameCount, counts: { pages, names, sources, chunks } };
  if (indexBytes !== (3 * pages + names + sources + 3 * chunks) * 4 || headerBytes + indexBytes > totalBytes)
    throw new Error('the lookup file is damaged: its index has another size');
  return header;
}

export function decodeIndex({ totalBytes, counts }: Header, bytes: Uint8Array): Index {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const list = (length: number): Uint32Array => {
    const values = new Uint32Array(length);
    for (let index = 0; index < length; index++, at += 4) values[index] = view.getUint32(at, true);
    return values;
  };
  const pageLines = list(counts.pages);
  const pageColumns = list(counts.pages);
  const pages = list(counts.pages);
  const names = list(counts.names);
  const sources = list(counts.sources);
  const chunkSources = list(counts.chunks);
  const chunkLines = list(counts.chunks);
  const chunks = list(counts.chunks);
  const chunksStart = chunks[0] ?? totalBytes;
  const sourcesStart = sources[0] ?? chunksStart;
  const namesStart = names[0] ?? sourcesStart;
  return {
    pageLines,
    pageColumns,
    pages: { offsets: pages, end: namesStart },
    names: { offsets: names, end: sourcesStart },
    sources: { offsets: sources, end: chunksStart },
    chunkSources,
    chunkLines,
    chunks: { offsets: chunks, end: totalBytes },
  };
}
