/** Which function each place of generated code is in, however that was found out. */
import type { NumberList } from './bytes.ts';

/** The functions of generated code; lines and columns from 0. A function's number is its index + 1, so that 0 is none. */
export interface FunctionTurns {
  /** Places by order: from here on, the code is of this function. */
  readonly lines: NumberList;
  readonly columns: NumberList;
  readonly functions: NumberList;
  /** By function: of its name in generated code; 0 where that is not known or does not count. */
  readonly hashes: NumberList;
  /** By function: its original name's number + 1, where that is known already; else 0. */
  readonly names: NumberList;
  /** By function: number + 1 of the site with its name; 0: none. */
  readonly siteOf: NumberList;
  /** Places, by order, where names of functions stand in generated code: the token there has the original name. */
  readonly siteLines: NumberList;
  readonly siteColumns: NumberList;
  siteText(site: number): string;
}

/** FNV-1a of the UTF-16 code units; never 0. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash >>> 0 || 1;
}

const longestName = 500;

/**
 * The name alone of what engines call a frame's function: `r` of `HTMLDivElement.r`, `new r` and `async r`, `b` of
 * `Object.a [as b]`. Undefined for a function without a name: ``, `?`, `<anonymous>`, `foo/<`.
 */
export function bareName(functionName: string): string | undefined {
  const text = functionName.slice(-longestName);
  const alias = text.endsWith(']') ? text.slice(text.lastIndexOf('[as ') + 4, -1) : text;
  const last = alias.split(/[\s.*/]/).at(-1) ?? '';
  return /^[#$\w\u0080-\uffff]+$/.test(last) ? last : undefined;
}
