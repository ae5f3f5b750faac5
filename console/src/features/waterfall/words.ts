/** What is odd about a trace and its spans, in sentences. */
import * as m from '../../messages/waterfall.ts';
import { duration } from '../../ui/durations.ts';
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
  service || (projects.find(({ id }) => id === projectId)?.slug ?? m.unknownSender);

/** What was done to a row, or is odd about it. */
export function remarksOf({ trace, rows }: IndexedTrace, row: WaterfallRow): Remark[] {
  const remarks: Remark[] = [];
  if (row.shiftUs) {
    const shifted = { time: duration(Math.abs(row.shiftUs)), sender: senderOf(trace, row) };
    remarks.push({ kind: 'clock', text: row.shiftUs > 0 ? m.clockBehind(shifted) : m.clockAhead(shifted) });
  }
  if (row.orphan) {
    const id = row.parentId ?? '';
    remarks.push({ kind: 'orphan', text: row.parent < 0 ? m.orphanRoot({ id }) : m.orphan({ id }) });
  }
  if (row.cycle) remarks.push({ kind: 'cycle', text: m.cycle });
  if (row.late) {
    const parent = rows[row.parent];
    remarks.push({ kind: 'late', text: parent ? m.late({ parent: nameOf(parent) }) : m.lateParentMissing });
  }
  if (row.duplicates) remarks.push({ kind: 'duplicates', text: m.duplicates({ count: row.duplicates }) });
  return remarks;
}

export interface Note {
  /** For one line. */
  readonly short: string;
  readonly text: string;
  /** The first row that it is about. */
  readonly row?: number;
}

const mostClocks = 5;

/** What a reader has to know of the whole trace. */
export function notesOf({ trace, rows }: IndexedTrace): Note[] {
  const notes: Note[] = [];
  const shown = rows.length;
  if (trace.left > 0) {
    const counts = { shown, count: trace.spans };
    notes.push({ short: m.notes.left(counts), text: m.noteTexts.left(counts) });
  }
  const count = (which: (row: WaterfallRow) => boolean): { count: number; row: number } => ({
    count: rows.reduce((sum, row) => (which(row) ? sum + 1 : sum), 0),
    row: rows.findIndex(which),
  });
  const add = (kind: 'orphans' | 'late', { count: found, row }: ReturnType<typeof count>): void => {
    if (found) notes.push({ short: m.notes[kind]({ count: found }), text: m.noteTexts[kind]({ count: found }), row });
  };
  const roots = count((row) => row.parent < 0).count;
  if (roots > 1) notes.push({ short: m.notes.roots({ count: roots }), text: m.noteTexts.roots({ count: roots }) });
  add(
    'orphans',
    count((row) => row.orphan === true),
  );
  const clocks = clocksOf(trace, rows);
  if (clocks.length)
    notes.push({
      short: m.notes.clocks({ senders: clocks.map(([sender]) => sender).join(', ') }),
      text: [
        m.noteTexts.clocks,
        ...clocks.map(([sender, us]) => {
          const clock = { sender, time: duration(Math.abs(us)) };
          return us > 0 ? m.clockIsBehind(clock) : m.clockIsAhead(clock);
        }),
        m.noteTexts.clocksShifted,
      ].join(' '),
      row: count((row) => row.shiftUs !== undefined).row,
    });
  const cycles = count((row) => row.cycle === true);
  if (cycles.count)
    notes.push({ short: m.notes.cycles({ count: cycles.count }), text: m.noteTexts.cycles, row: cycles.row });
  add(
    'late',
    count((row) => row.late === true),
  );
  if (trace.duplicates)
    notes.push({
      short: m.notes.duplicates({ count: trace.duplicates }),
      text: m.noteTexts.duplicates({ count: trace.duplicates }),
      row: count((row) => row.duplicates !== undefined).row,
    });
  return notes;
}

/** Whose spans were shifted, and by how much. */
function clocksOf(trace: Waterfall, rows: readonly WaterfallRow[]): (readonly [sender: string, us: number])[] {
  const clocks = new Map<string, number>();
  for (const row of rows)
    if (row.shiftUs && rows[row.parent]?.shiftUs !== row.shiftUs) clocks.set(senderOf(trace, row), row.shiftUs);
  return [...clocks].slice(0, mostClocks);
}

/** Why time of a span is covered by none of its children. */
export function gapWords({ trace, rows }: IndexedTrace, index: number, gap: Stretch): string {
  const row = rows[index];
  if (!row) return '';
  const [before, after] = neighbours(rows, index, gap);
  return `${placeOf(duration(gap.durationUs), before, after)} ${reasonOf(trace, row, before ?? after)}`;
}

function placeOf(time: string, before: WaterfallRow | undefined, after: WaterfallRow | undefined): string {
  if (before && after) return m.gapBetween({ time, before: nameOf(before), after: nameOf(after) });
  if (before) return m.gapAfter({ time, before: nameOf(before) });
  return after ? m.gapBefore({ time, after: nameOf(after) }) : m.gapAll({ time });
}

function reasonOf(trace: Waterfall, row: WaterfallRow, child: WaterfallRow | undefined): string {
  if (trace.left > 0) return m.gapLeft;
  if (child && child.service !== row.service)
    return m.gapNetwork({ from: senderOf(trace, row), to: senderOf(trace, child) });
  if (row.op === 'pageload' || row.op === 'navigation' || categoryOf(row.op) === 'ui') return m.gapBrowser;
  return m.gapCode({ sender: senderOf(trace, row) });
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
