/** What a stack trace shows: a pure function from frames to rows. */
import type { Frame } from '../event/types.ts';

export type StackRow =
  | { readonly kind: 'frame'; readonly frame: Frame; readonly index: number; readonly open: boolean }
  | {
      readonly kind: 'folded';
      readonly frames: readonly { readonly frame: Frame; readonly index: number }[];
      readonly id: string;
    }
  | { readonly kind: 'omitted'; readonly count: number };

/**
 * Rows from the newest call to the oldest. Frames of the project's own code stand alone, runs of others fold into one
 * row; the frame that threw stays visible whoever wrote it. `openIndex` is the one to open: the newest in-app frame, or
 * the newest at all.
 *
 * @param frames oldest call first, as the API has them
 * @param omitted first and last-but-one index of frames that the SDK left out, in the same order
 */
export function stackRows(frames: readonly Frame[], omitted: readonly [number, number] | null = null): StackRow[] {
  const newestFirst = frames.map((frame, index) => ({ frame, index })).toReversed();
  const openIndex = firstInAppIndex(frames);
  const anyInApp = frames.some((frame) => frame.inApp);
  const rows: StackRow[] = [];
  let run: { frame: Frame; index: number }[] = [];
  const flush = (): void => {
    if (run.length > 0) rows.push({ kind: 'folded', frames: run, id: `${run[0]?.index}` });
    run = [];
  };
  for (const each of newestFirst) {
    const alone = !anyInApp || each.frame.inApp || each.index === frames.length - 1;
    if (alone) {
      flush();
      rows.push({ kind: 'frame', ...each, open: each.index === openIndex });
    } else {
      run.push(each);
    }
    if (omitted && each.index === omitted[0]) {
      flush();
      rows.push({ kind: 'omitted', count: Math.max(0, omitted[1] - omitted[0]) });
    }
  }
  flush();
  return rows;
}

/** Index of the newest in-app frame, of the newest frame when none is; -1 without frames. */
export function firstInAppIndex(frames: readonly Frame[]): number {
  const inApp = frames.findLastIndex((frame) => frame.inApp);
  return inApp >= 0 ? inApp : frames.length - 1;
}

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

/** The stack as text, newest call first, as V8 prints it. */
export function stackText(title: string, value: string | null, frames: readonly Frame[]): string {
  const lines = frames
    .toReversed()
    .map(
      (frame) =>
        `    at ${frameFunction(frame)} (${frame.absPath ?? frameLocation(frame)}${frame.absPath && frame.lineNo !== null ? `:${frame.lineNo}${frame.colNo === null ? '' : `:${frame.colNo}`}` : ''})`,
    );
  return [value ? `${title}: ${value}` : title, ...lines].join('\n');
}
