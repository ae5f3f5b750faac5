/**
 * Pages: what is known of a stretch of generated code. Each can be read alone: it repeats the last token before it, and says
 * which function it begins in.
 *
 * In bytes: numbers of tokens and of turns; per token a byte of flags, then its place, source, line, column and name as
 * differences to the token before; per turn (a place where another function begins or goes on) its place, the hash of the
 * function's minified name (4 bytes), and the number of its name + 1.
 */
import { BlockReader, BlockWriter, ByteSink, NumberList } from './bytes.ts';

/** Tokens and turns in a page; with those at the same place a few more. */
const pageEntries = 256;

const hasSource = 1;
const hasName = 2;
const isNewLine = 4;
const isOtherSource = 8;

/** A function as pages know it. The hash is 0 where the minified name is not known, the name −1 where the original is not. */
export interface FunctionRef {
  readonly hash: number;
  readonly name: number;
}

/** Of a token's six numbers, source and name stored + 1. */
const width = 6;

export class PageWriter {
  readonly sink = new ByteSink();
  readonly lines = new NumberList();
  readonly columns = new NumberList();
  readonly offsets = new NumberList();
  readonly #tokens = new NumberList();
  readonly #turns = new NumberList();
  readonly #block = new BlockWriter();
  #carried = 0;
  #line = -1;
  #column = -1;

  /** Places must not go backwards. Of tokens at one place, the first and the last are kept. */
  token(line: number, column: number, source: number, sourceLine: number, sourceColumn: number, name: number): void {
    this.#moveTo(line, column);
    const tokens = this.#tokens;
    const last = tokens.length - width;
    if (last >= width && this.#isAt(tokens, last, line, column) && this.#isAt(tokens, last - width, line, column))
      tokens.length = last;
    tokens.push(line);
    tokens.push(column);
    tokens.push(source + 1);
    tokens.push(sourceLine);
    tokens.push(sourceColumn);
    tokens.push(name + 1);
  }

  /** From here on, the code is of this function. */
  turn(line: number, column: number, { hash, name }: FunctionRef): void {
    this.#moveTo(line, column);
    const turns = this.#turns;
    if (turns.length > 0 && this.#isAt(turns, turns.length - 4, line, column)) turns.length -= 4;
    turns.push(line);
    turns.push(column);
    turns.push(hash);
    turns.push(name + 1);
  }

  #isAt(list: NumberList, index: number, line: number, column: number): boolean {
    return list.at(index) === line && list.at(index + 1) === column;
  }

  #moveTo(line: number, column: number): void {
    if (line === this.#line && column === this.#column) return;
    const entries = this.#tokens.length / width + this.#turns.length / 4 - this.#carried;
    if (entries >= pageEntries) this.#flush();
    if (entries === 0 || entries >= pageEntries) {
      this.lines.push(line);
      this.columns.push(column);
    }
    this.#line = line;
    this.#column = column;
  }

  #flush(): void {
    const tokens = this.#tokens;
    const turns = this.#turns;
    this.offsets.push(this.sink.length);
    this.sink.add(encodePage(this.#block, tokens, turns));
    const token = Array.from(tokens.view().slice(-width));
    const turn = Array.from(turns.view().slice(-4));
    tokens.clear();
    turns.clear();
    for (const value of token) tokens.push(value);
    for (const value of turn) turns.push(value);
    this.#carried = token.length / width + turn.length / 4;
  }

  end(): void {
    if (this.lines.length > this.offsets.length) this.#flush();
  }
}

function encodePage(block: BlockWriter, tokens: NumberList, turns: NumberList): Uint8Array {
  block.unsigned(tokens.length / width);
  block.unsigned(turns.length / 4);
  let [line, column, source, sourceLine, sourceColumn, name] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < tokens.length; at += width) {
    const [newLine, newColumn, newSource, newName] = [
      tokens.at(at),
      tokens.at(at + 1),
      tokens.at(at + 2),
      tokens.at(at + 5),
    ];
    const flags =
      (newSource > 0 ? hasSource : 0) |
      (newName > 0 ? hasName : 0) |
      (newLine === line ? 0 : isNewLine) |
      (newSource > 0 && newSource !== source ? isOtherSource : 0);
    block.unsigned(flags);
    if (newLine !== line) {
      block.unsigned(newLine - line);
      column = 0;
      line = newLine;
    }
    block.unsigned(newColumn - column);
    column = newColumn;
    if (newSource > 0) {
      if (newSource !== source) block.signed(newSource - source);
      block.signed(tokens.at(at + 3) - sourceLine);
      block.signed(tokens.at(at + 4) - sourceColumn);
      source = newSource;
      sourceLine = tokens.at(at + 3);
      sourceColumn = tokens.at(at + 4);
    }
    if (newName > 0) {
      block.signed(newName - name);
      name = newName;
    }
  }
  line = 0;
  column = 0;
  for (let at = 0; at < turns.length; at += 4) {
    block.unsigned(turns.at(at) - line);
    if (turns.at(at) !== line) column = 0;
    block.unsigned(turns.at(at + 1) - column);
    line = turns.at(at);
    column = turns.at(at + 1);
    block.unsigned(turns.at(at + 2));
    block.unsigned(turns.at(at + 3));
  }
  return block.take();
}

/** A page in memory: a number per token and property, so that searching touches no objects. */
export interface Page {
  readonly lines: Int32Array;
  readonly columns: Int32Array;
  /** −1: of no source. */
  readonly sources: Int32Array;
  readonly sourceLines: Int32Array;
  readonly sourceColumns: Int32Array;
  /** −1: no name. */
  readonly names: Int32Array;
  readonly turnLines: Int32Array;
  readonly turnColumns: Int32Array;
  readonly turnHashes: Uint32Array;
  readonly turnNames: Int32Array;
  readonly weightBytes: number;
}

/** A page holds no more than this, whatever its bytes say: a page ends at the next place once it is full. */
const maxEntries = pageEntries * 8;

export function readPage(bytes: Uint8Array): Page {
  const reader = new BlockReader(bytes);
  const tokenCount = reader.unsigned();
  const turnCount = reader.unsigned();
  if (tokenCount > maxEntries || turnCount > maxEntries)
    throw new Error('the lookup file is damaged: a page is too large');
  const tokens = (): Int32Array => new Int32Array(tokenCount);
  const page = {
    lines: tokens(),
    columns: tokens(),
    sources: tokens(),
    sourceLines: tokens(),
    sourceColumns: tokens(),
    names: tokens(),
    turnLines: new Int32Array(turnCount),
    turnColumns: new Int32Array(turnCount),
    turnHashes: new Uint32Array(turnCount),
    turnNames: new Int32Array(turnCount),
    weightBytes: tokenCount * 24 + turnCount * 16 + 1000,
  };
  let [line, column, source, sourceLine, sourceColumn, name] = [0, 0, 0, 0, 0, 0];
  for (let index = 0; index < tokenCount; index++) {
    const flags = reader.unsigned();
    if (flags & isNewLine) {
      line += reader.unsigned();
      column = 0;
    }
    column += reader.unsigned();
    if (flags & hasSource) {
      if (flags & isOtherSource) source += reader.signed();
      sourceLine += reader.signed();
      sourceColumn += reader.signed();
    }
    if (flags & hasName) name += reader.signed();
    page.lines[index] = line;
    page.columns[index] = column;
    page.sources[index] = flags & hasSource ? source - 1 : -1;
    page.sourceLines[index] = sourceLine;
    page.sourceColumns[index] = sourceColumn;
    page.names[index] = flags & hasName ? name - 1 : -1;
  }
  line = 0;
  column = 0;
  for (let index = 0; index < turnCount; index++) {
    const lines = reader.unsigned();
    if (lines > 0) column = 0;
    line += lines;
    column += reader.unsigned();
    page.turnLines[index] = line;
    page.turnColumns[index] = column;
    page.turnHashes[index] = reader.unsigned();
    page.turnNames[index] = reader.unsigned() - 1;
  }
  return page;
}

/** Index of the last place at or before (line, column); −1 when there is none. */
export function lastPlace(
  lines: Int32Array | Uint32Array,
  columns: Int32Array | Uint32Array,
  line: number,
  column: number,
): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const its = lines[middle] ?? 0;
    if (its < line || (its === line && (columns[middle] ?? 0) <= column)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
