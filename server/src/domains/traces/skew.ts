/**
 * Clocks of two services differ. Where a span of one service hangs under a span of another and lies where it cannot
 * have been, it and what its service did below it are moved by the least that makes the order possible.
 */
import type { TreeSpan } from './types.ts';

export const sameClock = (a: TreeSpan, b: TreeSpan): boolean => a.projectId === b.projectId && a.service === b.service;

/** µs by which the child has to be moved; 0 where it can have been there. `parentStartUs` is corrected already. */
export function leastShift(parent: TreeSpan, parentStartUs: number, child: TreeSpan): number {
  const [from, until] = possibleStarts(parent, parentStartUs, child);
  if (child.startUs < from) return from - child.startUs;
  return child.startUs > until ? until - child.startUs : 0;
}

/** The earliest and the latest start; the first is never after the second. */
function possibleStarts(parent: TreeSpan, startUs: number, child: TreeSpan): readonly [number, number] {
  const endUs = startUs + parent.durationUs;
  // The page asked for what the server did: it begins before its parent and ends after it.
  if (child.op === 'pageload') return [startUs - child.durationUs, endUs];
  // Messages are taken when there is time for them.
  if (child.kind === 'consumer' || parent.kind === 'producer') return [startUs, Infinity];
  // The parent waited for it, unless it took longer: then it was only begun while the parent was there.
  return [startUs, child.durationUs > parent.durationUs ? endUs : endUs - child.durationUs];
}
