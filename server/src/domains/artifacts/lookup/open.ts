/** Reads lookup files. */
import { readChunk, type Chunk } from './contents.ts';
import { decodeHeader, decodeIndex, headerBytes, type Blocks, type Header, type Index } from './format.ts';
import { bareName, hashName } from './functions.ts';
import { lastPlace, readPage, type Page } from './pages.ts';
import { Pool, type Held } from './pool.ts';
import { namesShape, readTableBlock, sourcesShape, type TableShape } from './strings.ts';

/** Bytes of the file from `start`; fewer at its end. */
export type ReadRange = (start: number, length: number) => Promise<Uint8Array>;

export interface Position {
  /** As the map says, sourceRoot applied. */
  readonly source: string;
  readonly sourceId: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Of the token itself; of a call, the callee's. */
  readonly name: string | undefined;
  /** Of the function around the place. */
  readonly functionName: string | undefined;
  /** Whether the map says that the source is none of the project's own (`ignoreList`). */
  readonly ignored: boolean;
}

export interface Context {
  readonly pre: string[];
  readonly line: string;
  readonly post: string[];
}

export interface Lookup {
  /**
   * The nearest token to the left on that line; line and column from 1, as SDKs send them. `minifiedName`: the frame's
   * function as it was sent; `functionName` is only given where that is the function's name in generated code.
   */
  find(line: number, column: number, minifiedName?: string): Promise<Position | undefined>;
  /** Lines each way around a line (from 1) of a source; undefined where its text or that line is not known. */
  context(sourceId: number, line: number, around: number): Promise<Context | undefined>;
  /** What it holds in memory now. */
  readonly weightBytes: number;
}

/** A file below this is in memory as a whole once it is opened. */
const firstRead = 256 * 1024;
/** Held by a lookup that shares no cache. */
const ownPoolBytes = 8 * 1024 * 1024;
const maxLinesAround = 100;
const kinds = { page: 0, names: 1, sources: 2, chunk: 3 } as const;

interface HeldBlock extends Held {
  readonly value: unknown;
}

/** Throws when the file is no lookup of this version, or is damaged. */
export async function openLookup(read: ReadRange, pool: Pool = new Pool(ownPoolBytes)): Promise<LookupFile> {
  const first = await read(0, firstRead);
  const header = decodeHeader(first);
  const indexEnd = headerBytes + header.indexBytes;
  const whole = header.totalBytes <= first.length ? first : undefined;
  const index =
    indexEnd <= first.length
      ? first.subarray(headerBytes, indexEnd)
      : await readExactly(read, headerBytes, header.indexBytes);
  return new LookupFile(header, decodeIndex(header, index), whole, read, pool);
}

async function readExactly(read: ReadRange, start: number, length: number): Promise<Uint8Array> {
  const bytes = await read(start, length);
  if (bytes.length < length) throw new Error('the lookup file is truncated');
  return bytes;
}

export class LookupFile implements Lookup {
  readonly #header: Header;
  readonly #index: Index;
  readonly #whole: Uint8Array | undefined;
  readonly #read: ReadRange;
  readonly #pool: Pool;
  readonly #blocks = new Map<number, HeldBlock>();
  readonly #loading = new Map<number, Promise<unknown>>();
  readonly indexWeightBytes: number;
  weightBytes: number;

  constructor(header: Header, index: Index, whole: Uint8Array | undefined, read: ReadRange, pool: Pool) {
    this.#header = header;
    this.#index = index;
    this.#whole = whole;
    this.#read = read;
    this.#pool = pool;
    this.indexWeightBytes = 1000 + header.indexBytes + (whole?.length ?? 0);
    this.weightBytes = this.indexWeightBytes;
  }

  async find(line: number, column: number, minifiedName?: string): Promise<Position | undefined> {
    const { pageLines, pageColumns, pages } = this.#index;
    const [generatedLine, generatedColumn] = [line - 1, column - 1];
    const number = lastPlace(pageLines, pageColumns, generatedLine, generatedColumn);
    if (number < 0) return undefined;
    const page = this.#held<Page>(kinds.page, number) ?? (await this.#load(kinds.page, number, pages, readHeldPage));
    const token = findToken(page, generatedLine, generatedColumn);
    const sourceId = page.sources[token] ?? -1;
    if (sourceId < 0) return undefined;
    const functionId = findFunction(page, generatedLine, generatedColumn, minifiedName);
    const source = this.#text(kinds.sources, sourceId);
    const name = this.#text(kinds.names, page.names[token] ?? -1);
    const functionName = this.#text(kinds.names, functionId);
    const marked = typeof source === 'string' ? source : ((await source) ?? '');
    return {
      source: marked.slice(1),
      sourceId,
      line: (page.sourceLines[token] ?? 0) + 1,
      column: (page.sourceColumns[token] ?? 0) + 1,
      name: name instanceof Promise ? await name : name,
      functionName: functionName instanceof Promise ? await functionName : functionName,
      ignored: marked.startsWith('1'),
    };
  }

  async context(sourceId: number, line: number, around: number): Promise<Context | undefined> {
    const wanted = Math.min(Math.max(0, around), maxLinesAround);
    const first = Math.max(0, line - 1 - wanted);
    const lines: string[] = [];
    while (lines.length < line + wanted - first) {
      const more = await this.#linesFrom(sourceId, first + lines.length);
      if (!more) break;
      lines.push(...more.slice(0, line + wanted - first - lines.length));
    }
    const text = lines[line - 1 - first];
    if (text === undefined) return undefined;
    return { pre: lines.slice(0, line - 1 - first), line: text, post: lines.slice(line - first) };
  }

  /** Lines of a source from this one (from 0) to the end of its piece. */
  async #linesFrom(source: number, line: number): Promise<readonly string[] | undefined> {
    const { chunkSources, chunkLines, chunks } = this.#index;
    const number = lastPlace(chunkSources, chunkLines, source, line);
    if (number < 0) return undefined;
    const chunk =
      this.#held<Chunk>(kinds.chunk, number) ?? (await this.#load(kinds.chunk, number, chunks, readHeldChunk));
    const piece = chunk.pieces.findLast((each) => each.source === source && each.firstLine <= line);
    const lines = piece?.lines.slice(line - piece.firstLine);
    return lines?.length ? lines : undefined;
  }

  /** At once where it is in memory. */
  #text(kind: 1 | 2, id: number): string | undefined | Promise<string | undefined> {
    const [blocks, count, shape]: [Blocks, number, TableShape] =
      kind === kinds.names
        ? [this.#index.names, this.#header.nameCount, namesShape]
        : [this.#index.sources, this.#header.sourceCount, sourcesShape];
    if (id < 0 || id >= count) return undefined;
    const number = Math.floor(id / shape.perBlock);
    const place = id % shape.perBlock;
    const held = this.#held<readonly string[]>(kind, number);
    if (held) return held[place];
    const texts = Math.min(shape.perBlock, count - number * shape.perBlock);
    return this.#load(kind, number, blocks, (bytes) => ({
      value: readTableBlock(bytes, texts),
      weightBytes: bytes.length * 2 + texts * 32,
    })).then((block) => block[place]);
  }

  #held<T>(kind: number, number: number): T | undefined {
    const block = this.#blocks.get(number * 4 + kind);
    if (!block) return undefined;
    this.#pool.touch(block);
    return block.value as T;
  }

  async #load<T>(
    kind: number,
    number: number,
    { offsets, end }: Blocks,
    decode: (bytes: Uint8Array) => { readonly value: T; readonly weightBytes: number },
  ): Promise<T> {
    const key = number * 4 + kind;
    const running = this.#loading.get(key);
    if (running) return running as Promise<T>;
    const load = async (): Promise<T> => {
      const start = offsets[number] ?? 0;
      const stop = offsets[number + 1] ?? end;
      const bytes = this.#whole
        ? this.#whole.subarray(start, stop)
        : await readExactly(this.#read, start, stop - start);
      const { value, weightBytes } = decode(bytes);
      const block: HeldBlock = {
        value,
        weightBytes,
        drop: () => {
          this.#blocks.delete(key);
          this.weightBytes -= weightBytes;
        },
      };
      this.#blocks.set(key, block);
      this.weightBytes += weightBytes;
      this.#pool.add(block);
      return value;
    };
    const loading = load().finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** Lets go of everything that it holds beside its index. */
  drop(): void {
    for (const block of this.#blocks.values()) this.#pool.remove(block);
  }
}

const readHeldPage = (bytes: Uint8Array): { value: Page; weightBytes: number } => {
  const value = readPage(bytes);
  return { value, weightBytes: value.weightBytes };
};
const readHeldChunk = (bytes: Uint8Array): { value: Chunk; weightBytes: number } => {
  const value = readChunk(bytes);
  return { value, weightBytes: value.weightBytes };
};

/** Of two tokens at one place, the first is meant when it is asked for just that place, else the last; as other readers do it. */
function findToken({ lines, columns }: Page, line: number, column: number): number {
  const index = lastPlace(lines, columns, line, column);
  if (index < 0 || lines[index] !== line) return -1;
  return columns[index] === column && lines[index - 1] === line && columns[index - 1] === column ? index - 1 : index;
}

/** Number of the function's name; −1 where it has none or the frame is of another function. */
function findFunction(page: Page, line: number, column: number, minifiedName: string | undefined): number {
  const turn = lastPlace(page.turnLines, page.turnColumns, line, column);
  const name = page.turnNames[turn] ?? -1;
  const hash = page.turnHashes[turn] ?? 0;
  const bare = name < 0 || hash === 0 || minifiedName === undefined ? undefined : bareName(minifiedName);
  return bare !== undefined && hashName(bare) !== hash ? -1 : name;
}
