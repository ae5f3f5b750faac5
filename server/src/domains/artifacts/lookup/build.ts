/** Makes a lookup file of a source map. */
import { mapProblems } from '../../../base/texts/artifacts.ts';
import type { ByteSink, NumberList } from './bytes.ts';
import { ContentsWriter, longestSource } from './contents.ts';
import { encodeHeader } from './format.ts';
import type { FunctionTurns } from './functions.ts';
import { parseText } from './json.ts';
import { MapError } from './map-error.ts';
import { checkMappings, forEachToken } from './mappings.ts';
import { PageWriter, type FunctionRef } from './pages.ts';
import { readMap, type ParsedMap, type Part } from './read-map.ts';
import { readScopes } from './scopes.ts';
import { readScriptFunctions } from './script-functions.ts';
import { namesShape, sourcesShape, TableWriter } from './strings.ts';

export interface LookupInput {
  /** JSON text of a source map; a line `)]}'` may stand before it; `sections` may be in it. */
  readonly map: Uint8Array;
  /** The generated file, where the bundle has it: tells which functions there are. */
  readonly script?: Uint8Array;
  /** Content of a source that the map has not. */
  readonly sourceOf?: (source: string) => string | undefined;
}

export interface BuiltLookup {
  /** The file in pieces, to be read once. */
  readonly chunks: Iterable<Uint8Array>;
  readonly sources: number;
  readonly tokens: number;
}

const maxBytes = 2 ** 32 - 1;

/** Throws MapError. Memory stays near the size of the input: neither the map nor its mappings are ever objects. */
export function buildLookup({ map, script, sourceOf }: LookupInput): BuiltLookup {
  const parsed = readMap(map);
  const checked = checkMappings(parsed);
  const functions = readScopes(parsed) ?? (script && readScriptFunctions(script));
  const names = writeNames(parsed);
  const pages = new PageWriter();
  const turns = mergeTurns(pages, names, functions);
  forEachToken(parsed, checked, (line, column, source, sourceLine, sourceColumn, name) => {
    turns.upTo(line, column, source, name);
    pages.token(line, column, source, sourceLine, sourceColumn, name);
  });
  turns.rest();
  pages.end();
  names.end();
  const { sources, contents } = writeSources(parsed, sourceOf);
  const header = encodeHeader({ tokens: checked.tokens, names, sources, pages, contents });
  const sinks = [pages.sink, names.sink, sources.sink, contents.sink];
  if (sinks.reduce((sum, { length }) => sum + length, header.length) > maxBytes)
    throw new MapError(mapProblems.tooLarge);
  return { chunks: piecesOf(header, sinks), sources: parsed.sourceCount, tokens: checked.tokens };
}

function* piecesOf(header: Uint8Array, sinks: readonly ByteSink[]): Generator<Uint8Array> {
  yield header;
  for (const sink of sinks) yield* sink.read();
}

/** The names of all parts, by the number that tokens have for them. */
function writeNames({ bytes, parts }: ParsedMap): TableWriter {
  const table = new TableWriter(namesShape);
  for (const { names } of parts) {
    for (let at = 0; at < names.length; at += 2) table.add(Buffer.from(textAt(bytes, names, at)));
  }
  return table;
}

/** The text at this place of a list; empty when it is none. */
const textAt = (bytes: Buffer, list: NumberList, at: number): string =>
  parseText(bytes, { start: list.at(at), end: list.at(at + 1) }) ?? '';

function writeSources(
  { bytes, parts }: ParsedMap,
  sourceOf: LookupInput['sourceOf'],
): { sources: TableWriter; contents: ContentsWriter } {
  const sources = new TableWriter(sourcesShape);
  const contents = new ContentsWriter();
  for (const part of parts) {
    for (let index = 0; index < part.sourceCount; index++) {
      const source = withRoot(part, textAt(bytes, part.sources, index * 2));
      const id = sources.add(Buffer.from(`${part.ignored.has(index) ? 1 : 0}${source}`));
      const content = contentOf(bytes, part, index) ?? sourceOf?.(source);
      if (content !== undefined) contents.add(id, content);
    }
  }
  sources.end();
  contents.end();
  return { sources, contents };
}

function withRoot({ sourceRoot }: Part, source: string): string {
  if (sourceRoot === '' || /^(?:\/|[a-z][a-z\d+.-]*:)/i.test(source)) return source;
  return sourceRoot.endsWith('/') ? `${sourceRoot}${source}` : `${sourceRoot}/${source}`;
}

function contentOf(bytes: Buffer, { contents }: Part, index: number): string | undefined {
  if (index * 2 >= contents.length) return undefined;
  const range = { start: contents.at(index * 2), end: contents.at(index * 2 + 1) };
  return range.end - range.start > longestSource ? undefined : parseText(bytes, range);
}

interface TurnMerge {
  /** Writes the turns up to a token's place; the token may name a function that begins there. */
  upTo(line: number, column: number, source: number, name: number): void;
  rest(): void;
}

const ofNone: FunctionRef = { hash: 0, name: -1 };

/** Puts the turns between the tokens, named by the tokens that stand at the names of functions. */
function mergeTurns(pages: PageWriter, names: TableWriter, functions: FunctionTurns | undefined): TurnMerge {
  if (!functions) return { upTo: () => undefined, rest: () => undefined };
  const { lines, columns, siteLines, siteColumns } = functions;
  /** Number of the original name + 1 by site. */
  const siteNames = new Uint32Array(siteLines.length);
  const known = new Map<string, number>();
  let turn = 0;
  let site = 0;

  /** A name that stands there without an original one was not changed. */
  const kept = (text: string): number => {
    let id = known.get(text);
    if (id === undefined) {
      id = names.add(Buffer.from(text));
      known.set(text, id);
    }
    return id;
  };
  const write = (): void => {
    const number = functions.functions.at(turn);
    const name = number && (functions.names.at(number - 1) || siteNames[functions.siteOf.at(number - 1) - 1] || 0);
    const ref = name ? { hash: functions.hashes.at(number - 1), name: name - 1 } : ofNone;
    pages.turn(lines.at(turn), columns.at(turn), ref);
    turn++;
  };
  const isBefore = (line: number, column: number, thanLine: number, thanColumn: number): boolean =>
    line < thanLine || (line === thanLine && column < thanColumn);

  return {
    upTo(line, column, source, name) {
      while (site < siteLines.length && isBefore(siteLines.at(site), siteColumns.at(site), line, column)) site++;
      if (siteLines.at(site) === line && siteColumns.at(site) === column && site < siteLines.length) {
        if (source >= 0 && !siteNames[site]) siteNames[site] = (name < 0 ? kept(functions.siteText(site)) : name) + 1;
      }
      while (turn < lines.length && !isBefore(line, column, lines.at(turn), columns.at(turn))) write();
    },
    rest() {
      while (turn < lines.length) write();
    },
  };
}
