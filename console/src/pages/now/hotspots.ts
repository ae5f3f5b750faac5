/** How the errors of one transaction compare with its usual hour. */
import * as m from '../../messages/now.ts';
import { times } from '../../ui/numbers.ts';

interface Hotspot {
  readonly count: number;
  readonly usual: number;
}

/** Below this many nothing is called unusual. */
const least = 10;

export const isUnusual = ({ count, usual }: Hotspot): boolean => count >= least && count >= 2 * Math.max(usual, 0.5);

/** `6×` the usual hour, `as usual`, `new`, or what the usual hour has where neither says more. */
export function timesUsual({ count, usual }: Hotspot): string {
  if (usual < 0.05) return m.newPlace;
  const factor = count / usual;
  if (factor >= 2) return times(factor);
  return factor >= 0.5 ? m.asUsual : m.fewer;
}
