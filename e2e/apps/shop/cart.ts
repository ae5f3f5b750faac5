import { amountOf } from './price.ts';
import type { CartLine } from './price.ts';

/** What the whole cart costs. */
export function total(lines: readonly CartLine[]): number {
  let sum = 0;
  for (const line of lines) {
    sum += amountOf(line);
  }
  return sum;
}
