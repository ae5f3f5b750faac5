/** Reads `mappings` token by token, without making anything of them: a map has millions. */
import { mapProblems } from '../../../base/texts/artifacts.ts';
import { NumberList } from './bytes.ts';
import { MapError } from './map-error.ts';
import { limits, type ParsedMap, type Part } from './read-map.ts';

/** All numbers from 0; source −1: the place comes from no source; name −1: it has no name. Sources and names of all parts are counted through. */
export type TokenSink = (
  line: number,
  column: number,
  source: number,
  sourceLine: number,
  sourceColumn: number,
  name: number,
) => void;

const comma = 0x2c;
const semicolon = 0x3b;
const invalid = 255;
/** The value of a base64 digit by its character. */
export const digits = new Uint8Array(256).fill(invalid);
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  digits[digit.charCodeAt(0)] = value;

/** More tokens than this in one line are not sorted. */
const longestUnsorted = 4_000_000;

export interface Checked {
  readonly tokens: number;
  /** Whether every line's columns rise. */
  readonly sorted: boolean;
}

/** Reads all mappings once. Throws MapError. */
export function checkMappings(map: ParsedMap): Checked {
  let tokens = 0;
  let sorted = true;
  let lastLine = -1;
  let lastColumn = 0;
  for (const part of map.parts) {
    readPart(part, (line, column) => {
      tokens++;
      if (line === lastLine && column < lastColumn) sorted = false;
      lastLine = line;
      lastColumn = column;
    });
  }
  return { tokens, sorted };
}

/** Calls the sink with every token, by line and column; equal places in the order of the map. */
export function forEachToken(map: ParsedMap, { sorted }: Checked, sink: TokenSink): void {
  if (sorted) {
    for (const part of map.parts) readPart(part, sink);
    return;
  }
  const columns = new NumberList();
  const rest = new NumberList();
  let current = -1;
  const flush = (): void => {
    if (columns.length > longestUnsorted) throw new MapError(mapProblems.unordered(current + 1));
    const order = new Uint32Array(columns.length).map((_, index) => index);
    order.sort((a, b) => columns.at(a) - columns.at(b) || a - b);
    for (const index of order) {
      const at = index * 4;
      sink(current, columns.at(index), rest.at(at) - 1, rest.at(at + 1), rest.at(at + 2), rest.at(at + 3) - 1);
    }
    columns.clear();
    rest.clear();
  };
  for (const part of map.parts) {
    readPart(part, (line, column, source, sourceLine, sourceColumn, name) => {
      if (line !== current) {
        flush();
        current = line;
      }
      columns.push(column);
      rest.push(source + 1);
      rest.push(sourceLine);
      rest.push(sourceColumn);
      rest.push(name + 1);
    });
  }
  flush();
}

function readPart(part: Part, sink: TokenSink): void {
  const { mappings: bytes, sourceBase, sourceCount, nameBase, nameCount, stopLine, stopColumn } = part;
  const end = bytes.length;
  let at = 0;

  const fail = (what: string): MapError => new MapError(mapProblems.atCharacter(at, what));
  const number = (): number => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const digit = at < end ? (digits[bytes[at] ?? 0] ?? invalid) : invalid;
      if (digit === invalid)
        throw fail(
          at < end && bytes[at] !== comma && bytes[at] !== semicolon ? mapProblems.character : mapProblems.cutNumber,
        );
      at++;
      value += (digit & 31) * factor;
      if (digit < 32) break;
      factor *= 32;
      if (factor > 2 ** 30) throw fail(mapProblems.largeNumber);
    }
    return value % 2 === 1 ? -(value - 1) / 2 : value / 2;
  };
  const checked = (value: number, what: Parameters<typeof mapProblems.position>[0]): number => {
    if (value < 0 || value > limits.position) throw fail(mapProblems.position(what, value));
    return value;
  };
  const isEnd = (): boolean => at >= end || bytes[at] === comma || bytes[at] === semicolon;

  let line = part.line;
  let column = part.column;
  let source = 0;
  let sourceLine = 0;
  let sourceColumn = 0;
  let name = 0;
  while (at < end) {
    const byte = bytes[at];
    if (byte === semicolon) {
      at++;
      column = 0;
      line = checked(line + 1, 'line');
      continue;
    }
    if (byte === comma) {
      at++;
      continue;
    }
    column = checked(column + number(), 'column');
    const inside = line < stopLine || (line === stopLine && column < stopColumn);
    if (isEnd()) {
      if (inside) sink(line, column, -1, 0, 0, -1);
      continue;
    }
    source += number();
    if (isEnd()) throw fail(mapProblems.shortToken(2));
    sourceLine = checked(sourceLine + number(), 'sourceLine');
    if (isEnd()) throw fail(mapProblems.shortToken(3));
    sourceColumn = checked(sourceColumn + number(), 'sourceColumn');
    if (source < 0 || source >= sourceCount) throw fail(mapProblems.reference('source', source, sourceCount));
    let named = -1;
    if (!isEnd()) {
      name += number();
      if (name < 0 || name >= nameCount) throw fail(mapProblems.reference('name', name, nameCount));
      named = nameBase + name;
      if (!isEnd()) throw fail(mapProblems.longToken);
    }
    if (inside) sink(line, column, sourceBase + source, sourceLine, sourceColumn, named);
  }
}
