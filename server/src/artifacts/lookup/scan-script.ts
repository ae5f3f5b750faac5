/**
 * Finds the functions of a script by its brackets and the few tokens before them; no syntax tree is made, so that memory
 * stays near the size of the script. Where the script is not what it seems to be, the scan ends: later code is then of no known function.
 */
import { NumberList } from './bytes.ts';
import type { FunctionStretches } from './functions.ts';

const enum_ = {
  paren: 1,
  bracket: 2,
  block: 3,
  object: 4,
  functionBody: 5,
  classBody: 6,
  template: 7,
  arrow: 8,
} as const;
