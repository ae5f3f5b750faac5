/** What a stack trace shows: a pure function from frames to rows. */
import type { Frame } from '../event/types.ts';

export interface PlacedFrame {
  readonly frame: Frame;
  readonly index: number;
}

/** `frame`: a call alone. `repeated`: the calls above once more, `times` times. */
type CallRow =
  | { readonly kind: 'frame'; readonly frames: readonly PlacedFrame[] }
  | { readonly kind: 'repeated'; readonly frames: readonly PlacedFrame[]; readonly id: string; readonly times: number };

export type StackRow =
  | CallRow
  /** Calls of others. */
  | { readonly kind: 'folded'; readonly rows: readonly CallRow[]; readonly id: string; readonly count: number }
  | { readonly kind: 'omitted'; readonly count: number };

/**
 * Rows from the newest call to the oldest. Frames of the project's own code stand alone, runs of others fold into one
 * row; the frame that threw stays visible whoever wrote it. What recurs stands once, with its count.
 *
 * @param frames oldest call first, as the API has them
 * @param omitted first and last-but-one index of frames that were left out, in the same order
 */
export function stackRows(
  frames: readonly Frame[],
  omitted: readonly [number, number] | null = null,
  full = false,
): StackRow[] {
  const anyInApp = frames.some((frame) => frame.inApp);
  const rows: StackRow[] = [];
  let run: CallRow[] = [];
  const flush = (): void => {
    const count = run.reduce((sum, row) => sum + row.frames.length, 0);
    if (count > 0) rows.push({ kind: 'folded', rows: run, id: `f${rows.length}`, count });
    run = [];
  };
  for (const row of callRows(frames, omitted?.[0])) {
    if (full || !anyInApp || row.frames.some(({ frame, index }) => frame.inApp || index === frames.length - 1)) {
      flush();
      rows.push(row);
    } else run.push(row);
    if (omitted && row.frames.at(-1)?.index === omitted[0]) {
      flush();
      rows.push({ kind: 'omitted', count: Math.max(0, omitted[1] - omitted[0]) });
    }
  }
  flush();
  return rows;
}

/** Newest first; a cycle of calls that returns stands once, the rest of it is one row. `cut`: no cycle reaches over it. */
function callRows(frames: readonly Frame[], cut = 0): CallRow[] {
  const all = frames.map((frame, index) => ({ frame, index, call: callOf(frame) + (index < cut) })).toReversed();
  const rows: CallRow[] = [];
  for (let at = 0; at < all.length;) {
    const [length, times] = cycleAt(all, at);
    const again = at + length;
    for (const one of all.slice(at, again)) rows.push({ kind: 'frame', frames: [one] });
    at = again + length * times;
    if (times > 0) rows.push({ kind: 'repeated', frames: all.slice(again, at), id: `r${at}`, times });
  }
  return rows;
}

/** Length of the shortest cycle of calls that begins here, and how often it returns; `[1, 0]` where none is worth a fold. */
function cycleAt(all: readonly { readonly call: string }[], at: number): [length: number, times: number] {
  for (const length of [1, 2, 3, 4]) {
    let same = at;
    while (all[same + length]?.call === all[same]?.call && same < all.length) same += 1;
    const times = Math.floor((same - at) / length);
    // Less is sooner read than unfolded.
    if (times * length > 2) return [length, times];
  }
  return [1, 0];
}

const callOf = (frame: Frame): string =>
  JSON.stringify([frame.module, frame.function, frame.filename, frame.lineNo, frame.instructionAddr]);

/** Index of the newest in-app frame, of the newest frame when none is; -1 without frames. */
export function firstInAppIndex(frames: readonly Frame[]): number {
  const inApp = frames.findLastIndex((frame) => frame.inApp);
  return inApp >= 0 ? inApp : frames.length - 1;
}

export interface FrameName {
  /** Package, namespace or path of modules, with what joins it to the name; empty where the language has none. */
  readonly scope: string;
  /** The function, with its class or type. */
  readonly name: string;
}

/** How a language calls its frames. */
export interface FrameNames {
  readonly nameOf: (frame: Frame, platform: string | null) => FrameName;
  /** Empty where the name says all that is known. */
  readonly whereOf: (frame: Frame, platform: string | null) => string;
}

/** Of JavaScript; `names.ts` knows other languages. */
export const scriptNames: FrameNames = {
  nameOf: (frame) => ({ scope: '', name: frameFunction(frame) }),
  whereOf: (frame) => frameLocation(frame),
};

/** `app/page.tsx:42:13`, as short as the frame allows. */
export function frameLocation(frame: Frame): string {
  const file = frame.filename ?? frame.absPath ?? frame.module ?? '<unknown>';
  return [file, frame.lineNo, frame.lineNo === null ? null : frame.colNo].filter((part) => part !== null).join(':');
}

export function frameFunction(frame: Frame): string {
  return frame.function && frame.function !== '?' ? frame.function : '<anonymous>';
}

/** True for code that was squeezed into few long lines and not mapped back. */
export function looksMinified(frame: Frame): boolean {
  if (!/\.[cm]?js(?:[?#]|$)/.test(frame.filename ?? '') || (frame.colNo ?? 0) <= 400) return false;
  const failing = frame.context.find(([number]) => number === frame.lineNo)?.[1];
  return failing === undefined || failing.includes('{snip}') || failing.length > 400;
}
