/** The functions of a generated script, as turns by line and column. */
import { NumberList } from './bytes.ts';
import { hashName, type FunctionTurns } from './functions.ts';
import { scanScript } from './scan-script.ts';
import type { ScannedFunctions } from './script-frames.ts';

/** Larger scripts are not looked into. */
const maxBytes = 256 * 1024 * 1024;

export function readScriptFunctions(script: Uint8Array): FunctionTurns | undefined {
  if (script.length > maxBytes) return undefined;
  const text = new TextDecoder().decode(script);
  const found = scanScript(text);
  const count = found.starts.length;
  const hashes = new NumberList();
  const names = new NumberList();
  for (let index = 0; index < count; index++) {
    const isNamed = found.sites.at(index) > 0;
    hashes.push(isNamed ? hashName(text.slice(found.nameStarts.at(index), found.nameEnds.at(index))) : 0);
    names.push(0);
  }
  const places = createPlaces(text);
  return { ...nest(found, places.from(0)), hashes, names, ...sites(text, found, places.from(0)) };
}

type Place = readonly [line: number, column: number];

/** Lines and columns of offsets that come in rising order; as a map counts them, from 0. */
function createPlaces(text: string): { from(start: 0): (offset: number) => Place } {
  const starts = new NumberList();
  starts.push(0);
  for (const lineEnd = /\r\n?|\n/g; lineEnd.test(text);) starts.push(lineEnd.lastIndex);
  return {
    from(start) {
      let line: number = start;
      return (offset) => {
        while (line + 1 < starts.length && starts.at(line + 1) <= offset) line++;
        return [line, offset - starts.at(line)];
      };
    },
  };
}

/** Stretches within each other become turns: into a function at its start, back to the one around it at its end. */
function nest(
  { starts, ends }: ScannedFunctions,
  placeOf: (offset: number) => Place,
): Pick<FunctionTurns, 'lines' | 'columns' | 'functions'> {
  const order = new Uint32Array(starts.length).map((_, index) => index);
  order.sort((a, b) => starts.at(a) - starts.at(b) || ends.at(b) - ends.at(a));
  const lines = new NumberList();
  const columns = new NumberList();
  const functions = new NumberList();
  let last = 0;
  const turn = (offset: number, number: number): void => {
    last = Math.max(last, offset);
    const [line, column] = placeOf(last);
    lines.push(line);
    columns.push(column);
    functions.push(number);
  };
  const open: number[] = [];
  const closeUntil = (offset: number): void => {
    for (let top = open.at(-1); top !== undefined && ends.at(top) <= offset; top = open.at(-1)) {
      open.pop();
      turn(ends.at(top), (open.at(-1) ?? -1) + 1);
    }
  };
  for (const index of order) {
    closeUntil(starts.at(index));
    open.push(index);
    turn(starts.at(index), index + 1);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return { lines, columns, functions };
}

function sites(
  text: string,
  { sites: at, nameStarts, nameEnds }: ScannedFunctions,
  placeOf: (offset: number) => Place,
): Pick<FunctionTurns, 'siteOf' | 'siteLines' | 'siteColumns' | 'siteText'> {
  const siteOf = new NumberList();
  const siteLines = new NumberList();
  const siteColumns = new NumberList();
  const functionOf = new NumberList();
  for (let index = 0; index < at.length; index++) siteOf.push(0);
  const order = new Uint32Array(at.length).map((_, index) => index);
  order.sort((a, b) => at.at(a) - at.at(b));
  let last = 0;
  for (const index of order) {
    const site = at.at(index);
    if (site === 0) continue;
    if (site !== last) {
      const [line, column] = placeOf(site - 1);
      siteLines.push(line);
      siteColumns.push(column);
      functionOf.push(index);
      last = site;
    }
    siteOf.set(index, siteLines.length);
  }
  return {
    siteOf,
    siteLines,
    siteColumns,
    siteText: (site) => text.slice(nameStarts.at(functionOf.at(site)), nameEnds.at(functionOf.at(site))),
  };
}
