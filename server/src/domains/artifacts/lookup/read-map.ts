/** What a source map says, as ranges of its bytes: one part for a plain map, one per section for an indexed one. */
import { mapProblems } from '../../../base/texts/artifacts.ts';
import { NumberList } from './bytes.ts';
import { documentOf, forEachElement, membersOf, parseText, parseValue, textBytes, type ByteRange } from './json.ts';
import { MapError } from './map-error.ts';

/** Lines and columns of generated code, from 0. */
export interface Part {
  readonly mappings: Uint8Array;
  /** Where the part begins; the column counts on its first line only. */
  readonly line: number;
  readonly column: number;
  /** Where the next part begins: tokens from there on are not of this part. */
  readonly stopLine: number;
  readonly stopColumn: number;
  /** Of all parts together: the numbers that this part's 0 stands for, and how many it has. */
  readonly sourceBase: number;
  readonly sourceCount: number;
  readonly nameBase: number;
  readonly nameCount: number;
  readonly sourceRoot: string;
  /** Pairs of start and end, an element each. */
  readonly sources: NumberList;
  readonly contents: NumberList;
  readonly names: NumberList;
  readonly ignored: ReadonlySet<number>;
  /** The value of `scopes`, where there is one. */
  readonly scopes: ByteRange | undefined;
}

export interface ParsedMap {
  readonly bytes: Buffer;
  readonly parts: readonly Part[];
  readonly sourceCount: number;
  readonly nameCount: number;
}

export const limits = {
  mapBytes: 1024 * 1024 * 1024,
  sources: 1_000_000,
  names: 5_000_000,
  sections: 100_000,
  /** Sections within sections; the specification has none, some tools make two. */
  depth: 4,
  /** Lines, columns. */
  position: 2 ** 31 - 1,
} as const;

const wanted: ReadonlySet<string> = new Set([
  'version',
  'mappings',
  'sources',
  'sourcesContent',
  'sourceRoot',
  'names',
  'sections',
  'ignoreList',
  'x_google_ignoreList',
  'scopes',
]);

interface Place {
  readonly line: number;
  readonly column: number;
}

const noStop: Place = { line: limits.position, column: limits.position };
const isBefore = (a: Place, b: Place): boolean => a.line < b.line || (a.line === b.line && a.column < b.column);
const earlier = (a: Place, b: Place): Place => (isBefore(b, a) ? b : a);

/** Throws MapError. */
export function readMap(map: Uint8Array): ParsedMap {
  if (map.length > limits.mapBytes) throw new MapError(mapProblems.tooManyBytes(map.length, limits.mapBytes));
  const bytes = Buffer.from(map.buffer, map.byteOffset, map.byteLength);
  const parts: Part[] = [];
  const total = { sources: 0, names: 0, sections: 0 };

  const read = (range: ByteRange, start: Place, stop: Place, depth: number): void => {
    const members = membersOf(bytes, range, wanted);
    if (!members) throw new MapError(mapProblems.notObject);
    const version = members.get('version');
    if (version && parseValue(bytes, version) !== 3) throw new MapError(mapProblems.version(shown(bytes, version)));
    const sections = members.get('sections');
    if (sections) readSections(sections, start, stop, depth);
    else if (version || depth > 0) addPart(members, start, stop);
    else throw new MapError(mapProblems.noVersion);
  };

  const readSections = (range: ByteRange, start: Place, stop: Place, depth: number): void => {
    if (depth >= limits.depth) throw new MapError(mapProblems.tooDeep(limits.depth));
    const found: { place: Place; map: ByteRange }[] = [];
    const isList = forEachElement(bytes, range, (from, end) => {
      total.sections++;
      if (total.sections > limits.sections) throw new MapError(mapProblems.tooMany(limits.sections, 'sections'));
      found.push(readSection(bytes, { start: from, end }, start));
    });
    if (!isList) throw new MapError(mapProblems.notList('sections'));
    for (const [index, { place, map }] of found.entries()) {
      const next = found[index + 1]?.place;
      if (next && isBefore(next, place)) throw new MapError(mapProblems.sectionOrder(index + 2));
      read(map, place, next ? earlier(next, stop) : stop, depth + 1);
    }
  };

  const addPart = (members: ReadonlyMap<string, ByteRange>, start: Place, stop: Place): void => {
    const part = readPart(bytes, members, start, stop, total);
    total.sources += part.sourceCount;
    total.names += part.nameCount;
    if (total.sources > limits.sources) throw new MapError(mapProblems.tooMany(limits.sources, 'sources'));
    if (total.names > limits.names) throw new MapError(mapProblems.tooMany(limits.names, 'names'));
    parts.push(part);
  };

  read(documentOf(bytes), { line: 0, column: 0 }, noStop, 0);
  return { bytes, parts, sourceCount: total.sources, nameCount: total.names };
}

function shown(bytes: Buffer, range: ByteRange): string {
  return bytes.toString('utf8', range.start, Math.min(range.end, range.start + 40));
}

const sectionKeys: ReadonlySet<string> = new Set(['offset', 'map', 'url']);
const offsetKeys: ReadonlySet<string> = new Set(['line', 'column']);

function readSection(bytes: Buffer, range: ByteRange, start: Place): { place: Place; map: ByteRange } {
  const members = membersOf(bytes, range, sectionKeys);
  const map = members?.get('map');
  if (!map) {
    throw new MapError(members?.has('url') ? mapProblems.sectionUrl : mapProblems.sectionMap);
  }
  const offsetRange = members?.get('offset');
  const offset = offsetRange && membersOf(bytes, offsetRange, offsetKeys);
  const number = (key: string): number => {
    const value = offset?.get(key);
    const parsed = value && parseValue(bytes, value);
    if (typeof parsed !== 'number' || !Number.isInteger(parsed) || parsed < 0 || parsed > limits.position)
      throw new MapError(mapProblems.sectionStart(key));
    return parsed;
  };
  const line = number('line');
  const column = number('column');
  if (start.line + line > limits.position) throw new MapError(mapProblems.sectionTooFar);
  return { place: { line: start.line + line, column: line === 0 ? start.column + column : column }, map };
}

function readPart(
  bytes: Buffer,
  members: ReadonlyMap<string, ByteRange>,
  start: Place,
  stop: Place,
  total: { readonly sources: number; readonly names: number },
): Part {
  const text = members.get('mappings');
  const mappings = text && textBytes(bytes, text);
  if (!mappings) throw new MapError(text ? mapProblems.notText('mappings') : mapProblems.noMappings);
  const sources = listOf(bytes, members, 'sources');
  if (!members.has('sources')) throw new MapError(mapProblems.noSources);
  const names = listOf(bytes, members, 'names');
  const root = members.get('sourceRoot');
  return {
    mappings,
    line: start.line,
    column: start.column,
    stopLine: stop.line,
    stopColumn: stop.column,
    sourceBase: total.sources,
    sourceCount: sources.length / 2,
    nameBase: total.names,
    nameCount: names.length / 2,
    sourceRoot: (root && parseText(bytes, root)) ?? '',
    sources,
    contents: listOf(bytes, members, 'sourcesContent'),
    names,
    ignored: readIgnored(bytes, members.get('ignoreList') ?? members.get('x_google_ignoreList'), sources.length / 2),
    scopes: members.get('scopes'),
  };
}

/** Elements of a list of texts; `null` for the member, as for an element, is nothing. */
function listOf(bytes: Buffer, members: ReadonlyMap<string, ByteRange>, key: string): NumberList {
  const list = new NumberList();
  const range = members.get(key);
  if (!range) return list;
  const isList = forEachElement(bytes, range, (start, end) => {
    const first = bytes[start];
    if (first === 0x7b || first === 0x5b) throw new MapError(mapProblems.valueNotText(key));
    list.push(start);
    list.push(end);
  });
  if (!isList && bytes[range.start] !== 0x6e) throw new MapError(mapProblems.notList(key));
  return list;
}

function readIgnored(bytes: Buffer, range: ByteRange | undefined, sourceCount: number): ReadonlySet<number> {
  const ignored = new Set<number>();
  if (range) {
    forEachElement(bytes, range, (start, end) => {
      const index = end - start < 12 ? parseValue(bytes, { start, end }) : undefined;
      if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < sourceCount) ignored.add(index);
    });
  }
  return ignored;
}
