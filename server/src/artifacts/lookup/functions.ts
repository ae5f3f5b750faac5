/** Which function each place of generated code is in, however that was found out. */
import { NumberList } from './bytes.ts';

/** A function of the generated code with its stretch; lines and columns from 0. Stretches lie within each other or apart. */
export interface FunctionStretches {
  readonly count: number;
  /** Stretches as turns, by place: from here on, the code is of function `turnFunctions` (number + 1; 0: of none). */
  readonly turnLines: NumberList;
  readonly turnColumns: NumberList;
  readonly turnFunctions: NumberList;
  /** Where the name of a function stands in generated code, by its number + 1; 0: it has none. */
  readonly siteOf: NumberList;
  /** By place. */
  readonly siteLines: NumberList;
  readonly siteColumns: NumberList;
  /** The name that stands there. */
  siteText(site: number): string;
}

/** FNV-1a of the UTF-16 code units; never 0. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash >>> 0 || 1;
}

/**
 * The name alone of what engines call a frame's function: `r` of `HTMLDivElement.r`, `new r` or `async r`, `b` of
 * `Object.a [as b]`. Undefined for a function without a name: ``, `?`, `<anonymous>`, `foo/<`.
 */
export function bareName(functionName: string): string | undefined {
  const alias = /\[as ([^\]\s]{1,200})\]$/.exec(functionName.slice(-220))?.[1];
  const words = (alias ?? functionName).slice(-500).split(/[\s.*/]/);
  const last = words.at(-1) ?? '';
  return /^[#$\w\u0080-\uffff]+$/.test(last) ? last : undefined;
}
