/** Deploys on a chart over time. Pure. */
import * as m from '../../messages/charts.ts';
import { placeInTime, type TimeSpan } from './series.ts';

export interface ChartMark {
  readonly at: number;
  readonly label: string;
  /** All of it, for those who point at it or hear it. */
  readonly detail: string;
  /** Release that its link opens. */
  readonly version: string;
}

/** Marks that would touch each other stand as one. */
export interface PlacedMarks {
  readonly marks: readonly ChartMark[];
  /** px from the left of the plot. */
  readonly x: number;
}

/** By place; a mark outside of the span is left out. */
export function placeMarks(
  marks: readonly ChartMark[],
  span: TimeSpan,
  width: number,
  leastGap = 26,
): readonly PlacedMarks[] {
  const placed: { marks: ChartMark[]; x: number }[] = [];
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    if (mark.at < span.from || mark.at > span.until || !(width > 0)) continue;
    const x = Math.round(placeInTime(mark.at, span) * width);
    const last = placed.at(-1);
    if (last && x - last.x < leastGap) last.marks.push(mark);
    else placed.push({ marks: [mark], x });
  }
  return placed;
}

/** px that a name takes at most. */
const nameRoom = 100;

/** Whether there is no room for its name on its right, where it would widen the page even unseen. */
export const isAtEdge = ({ x }: PlacedMarks, width: number): boolean => width - x < nameRoom;

/** What a mark, or several at one place, is called. */
export function marksLabel({ marks }: PlacedMarks): string {
  return marks.length === 1 ? (marks[0]?.label ?? '') : m.releaseCount({ count: marks.length });
}
