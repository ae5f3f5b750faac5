/** What is odd about a trace and its spans, in sentences. */
import { duration } from '../../ui/durations.ts';
import { exactNumber, plural, pluralForm } from '../../ui/numbers.ts';
import type { IndexedTrace, Stretch } from './index-trace.ts';
import { categoryOf, nameOf } from './ops.ts';
import type { Waterfall, WaterfallRow } from './queries.ts';

export type RemarkKind = 'clock' | 'orphan' | 'cycle' | 'late' | 'duplicates';

export interface Remark {
  readonly kind: RemarkKind;
  readonly text: string;
}

/** The service, else the project that sent it. */
export const senderOf = ({ projects }: Waterfall, { service, projectId }: WaterfallRow): string =>
  service || (projects.find(({ id }) => id === projectId)?.slug ?? 'its sender');

/** What was done to a row, or is odd about it. */
export function remarksOf({ trace, rows }: IndexedTrace, row: WaterfallRow): Remark[] {
  const remarks: Remark[] = [];
  const sender = senderOf(trace, row);
  if (row.shiftUs) {
    const which = row.shiftUs > 0 ? ['later', 'behind'] : ['earlier', 'ahead'];
    const text = `Moved ${duration(Math.abs(row.shiftUs))} ${which[0]}: the clock of ${sender} runs ${which[1]}.`;
    remarks.push({ kind: 'clock', text });
  }
  if (row.orphan) {
    const place = row.parent < 0 ? 'so it stands as a root' : 'so it hangs under the root span of its service';
    remarks.push({ kind: 'orphan', text: `Its parent ${row.parentId ?? ''} was not received, ${place}.` });
  }
  if (row.cycle)
    remarks.push({
      kind: 'cycle',
      text: 'Its parents lead back to itself; the circle was cut here and it became a root.',
    });
  if (row.late) {
    const parent = rows[row.parent];
    const text = `It begins after ${parent ? nameOf(parent) : 'its parent'} has ended, so nothing waited for it.`;
    remarks.push({ kind: 'late', text });
  }
  if (row.duplicates) {
    const text = `${plural(row.duplicates, 'more span')} came with the same id; the one received last is shown.`;
    remarks.push({ kind: 'duplicates', text });
  }
  return remarks;
}

export interface Note {
  /** For one line. */
  readonly short: string;
  readonly text: string;
  /** The first row that it is about. */
  readonly row?: number;
}

/** What a reader has to know of the whole trace. */
export function notesOf({ trace, rows }: IndexedTrace): Note[] {
  const notes: Note[] = [];
  const shown = rows.length;
  if (trace.left > 0)
    notes.push({
      short: `${exactNumber(shown)} of ${plural(trace.spans, 'span')} shown`,
      text: `The trace has ${plural(trace.spans, 'span')}. ${exactNumber(shown)} ${pluralForm(shown, 'is', 'are')} shown: the root spans of services first, then by start.`,
    });
  const count = (which: (row: WaterfallRow) => boolean): { count: number; row: number } => ({
    count: rows.reduce((sum, row) => (which(row) ? sum + 1 : sum), 0),
    row: rows.findIndex(which),
  });
  const roots = count((row) => row.parent < 0);
  if (roots.count > 1)
    notes.push({
      short: plural(roots.count, 'root'),
      text: `${plural(roots.count, 'span')} ${pluralForm(roots.count, 'has', 'have')} no parent here: several services began by themselves, or what joins them was not received.`,
    });
  const orphans = count((row) => row.orphan === true);
  if (orphans.count)
    notes.push({
      short: `${plural(orphans.count, 'span')} without ${pluralForm(orphans.count, 'its', 'their')} parent`,
      text: `The parents that ${plural(orphans.count, 'span')} name were not received: not sampled, filtered, lost, or still on the way.`,
      row: orphans.row,
    });
  const clocks = new Map<string, number>();
  for (const row of rows) {
    const parent = rows[row.parent];
    if (row.shiftUs && parent?.shiftUs !== row.shiftUs) clocks.set(senderOf(trace, row), row.shiftUs);
  }
  if (clocks.size) {
    const all = [...clocks].slice(0, 5);
    const sentences = all.map(
      ([sender, us]) => `${sender} runs ${duration(Math.abs(us))} ${us > 0 ? 'behind' : 'ahead'}`,
    );
    notes.push({
      short: `clock of ${all.map(([sender]) => sender).join(', ')} corrected`,
      text: `Clocks differ: ${sentences.join(', ')}. Spans were moved by the least that makes their order possible.`,
      row: count((row) => row.shiftUs !== undefined).row,
    });
  }
  const cycles = count((row) => row.cycle === true);
  if (cycles.count)
    notes.push({
      short: plural(cycles.count, 'circle of parents', 'circles of parents'),
      text: 'Spans name each other as parents. Each circle was cut at its earliest span, which became a root.',
      row: cycles.row,
    });
  const late = count((row) => row.late === true);
  if (late.count)
    notes.push({
      short: `${plural(late.count, 'span')} after the parent`,
      text: `${plural(late.count, 'span')} began when ${pluralForm(late.count, 'its parent', 'their parents')} had ended: background work, or work that is measured afterwards.`,
      row: late.row,
    });
  if (trace.duplicates)
    notes.push({
      short: plural(trace.duplicates, 'repeated span'),
      text: `${plural(trace.duplicates, 'span')} came with an id that another span of the project has; the one received last is shown.`,
      row: count((row) => row.duplicates !== undefined).row,
    });
  return notes;
}

/** Why time of a span is covered by none of its children. */
export function gapWords({ trace, rows }: IndexedTrace, index: number, gap: Stretch): string {
  const row = rows[index];
  if (!row) return '';
  const [before, after] = neighbours(rows, index, gap);
  const place =
    before && after
      ? `between ${nameOf(before)} and ${nameOf(after)}`
      : before
        ? `after ${nameOf(before)}`
        : after
          ? `before ${nameOf(after)}`
          : 'in all of it';
  return `${duration(gap.durationUs)} not covered by any span, ${place}: ${reasonOf(trace, row, before ?? after)}`;
}

function reasonOf(trace: Waterfall, row: WaterfallRow, child: WaterfallRow | undefined): string {
  if (trace.left > 0) return 'what was done may be among the spans that are not shown.';
  if (child && child.service !== row.service)
    return `the way between ${senderOf(trace, row)} and ${senderOf(trace, child)}, and waiting to be taken up.`;
  if (row.op === 'pageload' || row.op === 'navigation' || categoryOf(row.op) === 'ui')
    return 'the browser loaded, ran scripts or had nothing to do.';
  return `${senderOf(trace, row)} computed or waited without a span; one around that code would tell.`;
}

/** The children that end last before the gap and begin first after it. */
function neighbours(
  rows: readonly WaterfallRow[],
  index: number,
  { offsetUs, durationUs }: Stretch,
): [WaterfallRow | undefined, WaterfallRow | undefined] {
  let before: WaterfallRow | undefined;
  let after: WaterfallRow | undefined;
  const last = index + (rows[index]?.below ?? 0);
  for (let at = index + 1; at <= last; at += 1 + (rows[at]?.below ?? 0)) {
    const child = rows[at];
    if (!child) break;
    const end = child.offsetUs + child.durationUs;
    if (end <= offsetUs && end >= (before ? before.offsetUs + before.durationUs : -Infinity)) before = child;
    if (child.offsetUs >= offsetUs + durationUs) {
      after = child;
      break;
    }
  }
  return [before, after];
}
