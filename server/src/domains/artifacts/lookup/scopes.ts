/**
 * Functions as the map itself tells them: the field `scopes` of the ECMA-426 proposal
 * (https://github.com/tc39/ecma426/blob/main/proposals/scopes.md). Items are separated by commas, each a tag and numbers.
 * First the scopes of every source, as a tree in pre-order; then the ranges of generated code that came of them.
 */
import { NumberList } from './bytes.ts';
import type { FunctionTurns } from './functions.ts';
import { textBytes } from './json.ts';
import { digits } from './mappings.ts';
import { limits, type ParsedMap, type Part } from './read-map.ts';

const tags = { scopeStart: 1, scopeEnd: 2, rangeStart: 4, rangeEnd: 5 } as const;
const scopeFlags = { hasName: 1, hasKind: 2, isFunction: 4 } as const;
const rangeFlags = { hasLine: 1, hasDefinition: 2 } as const;
const comma = 0x2c;

/** Undefined when no part of the map has scopes that make sense. */
export function readScopes({ bytes, parts }: ParsedMap): FunctionTurns | undefined {
  const turns = {
    lines: new NumberList(),
    columns: new NumberList(),
    functions: new NumberList(),
    hashes: new NumberList(),
    names: new NumberList(),
    siteOf: new NumberList(),
    siteLines: new NumberList(),
    siteColumns: new NumberList(),
    siteText: () => '',
  };
  for (const part of parts) {
    const text = part.scopes && textBytes(bytes, part.scopes);
    if (!text) continue;
    const { lines, functions, names } = turns;
    const [turnCount, functionCount] = [lines.length, names.length];
    if (readPart(new ItemReader(text), part, turns)) continue;
    // What was read before the error is forgotten.
    lines.length = turnCount;
    turns.columns.length = turnCount;
    functions.length = turnCount;
    for (const list of [names, turns.hashes, turns.siteOf]) list.length = functionCount;
  }
  return turns.lines.length > 0 ? turns : undefined;
}

/** False when the text is none of the format. */
function readPart(reader: ItemReader, part: Part, turns: FunctionTurns): boolean {
  /** By scope: the function that it is or lies in, as a number of `turns`; 0: none. */
  const functionOf = new NumberList();
  const openScopes: number[] = [];
  const openRanges: number[] = [];
  let name = 0;
  let line = 0;
  let column = 0;
  let definition = 0;

  const turn = (to: number): void => {
    const atLine = Math.min(part.line + line, part.stopLine);
    const atColumn = line === 0 ? part.column + column : column;
    turns.lines.push(atLine);
    turns.columns.push(
      atLine === part.stopLine ? Math.min(atColumn, part.stopColumn) : Math.min(atColumn, limits.position),
    );
    turns.functions.push(to);
  };
  const startScope = (): boolean => {
    const flags = reader.unsigned();
    reader.unsigned();
    reader.unsigned();
    if (flags & scopeFlags.hasName) name += reader.signed();
    if (name < 0 || name >= Math.max(1, part.nameCount)) return false;
    let id = functionOf.at(openScopes.at(-1) ?? functionOf.length);
    if (openScopes.length === 0) id = 0;
    if (flags & scopeFlags.isFunction) {
      turns.names.push(flags & scopeFlags.hasName ? part.nameBase + name + 1 : 0);
      turns.hashes.push(0);
      turns.siteOf.push(0);
      id = turns.names.length;
    }
    openScopes.push(functionOf.length);
    functionOf.push(id);
    return true;
  };
  const startRange = (): boolean => {
    const flags = reader.unsigned();
    move(flags & rangeFlags.hasLine ? reader.unsigned() : 0, reader.unsigned());
    let id = openRanges.at(-1) ?? 0;
    if (flags & rangeFlags.hasDefinition) {
      definition += reader.signed();
      if (definition < 0 || definition >= functionOf.length) return false;
      id = functionOf.at(definition);
    }
    openRanges.push(id);
    turn(id);
    return true;
  };
  const endRange = (): boolean => {
    const first = reader.unsigned();
    if (reader.isItemEnd()) move(0, first);
    else move(first, reader.unsigned());
    if (openRanges.pop() === undefined) return false;
    turn(openRanges.at(-1) ?? 0);
    return true;
  };
  const move = (lines: number, columns: number): void => {
    if (lines > 0) column = 0;
    line += lines;
    column += columns;
  };

  for (; reader.nextItem(); reader.skipItem()) {
    if (reader.isItemEnd()) continue;
    const tag = reader.unsigned();
    if (tag === tags.scopeStart && !startScope()) return false;
    if (tag === tags.scopeEnd && openScopes.pop() === undefined) return false;
    if (tag === tags.rangeStart && !startRange()) return false;
    if (tag === tags.rangeEnd && !endRange()) return false;
    if (reader.isBroken || line > limits.position || column > limits.position) return false;
  }
  return openScopes.length === 0 && openRanges.length === 0;
}

/** The numbers of comma-separated items. What is no number reads as 0 and is remembered. */
class ItemReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #isFirst = true;
  isBroken = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** False at the end of the text. */
  nextItem(): boolean {
    if (this.#isFirst) this.#isFirst = false;
    else if (this.#bytes[this.#at] === comma) this.#at++;
    else return false;
    return true;
  }

  isItemEnd(): boolean {
    return this.#at >= this.#bytes.length || this.#bytes[this.#at] === comma;
  }

  skipItem(): void {
    const end = this.#bytes.indexOf(comma, this.#at);
    this.#at = end < 0 ? this.#bytes.length : end;
  }

  unsigned(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 32; factor *= 32) {
      const digit = digits[this.#bytes[this.#at] ?? comma] ?? 255;
      if (digit > 63) break;
      this.#at++;
      value += (digit & 31) * factor;
      if (digit < 32) return value;
    }
    this.isBroken = true;
    return 0;
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 1 ? -(value - 1) / 2 : value / 2;
  }
}
