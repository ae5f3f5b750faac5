/** One answer about one issue that is remembered, and what becomes of it when the issue gets events. */
import type { Gain, Gained } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';

/** Times by `steadyMs`. */
export interface Entry {
  /** Undefined for an issue that has none. */
  answer: unknown;
  /** When the events store was asked, and when it had answered. */
  readonly readAt: number;
  readonly untilMs: number;
  askedAt: number;
  /** Whether the issue got events that are not in the answer. */
  isChanged: boolean;
  lag: Lag | undefined;
}

/** Something of the answer is not as it would be if it were read again. */
interface Lag {
  readonly sinceMs: number;
  readonly projectId: number;
  /** Whether somebody was given it since then. */
  isGivenOut: boolean;
}

/** What an answer is after its issue got events; not exact where not all of it can be added up, undefined where it has to be read again. */
export type Growing<Answer> = (
  answer: Answer,
  gains: readonly Gain[],
) => { readonly answer: Answer; readonly isExact: boolean } | undefined;

export interface Told {
  readonly id: number;
  readonly projectId: number;
  readonly gained: Gained | undefined;
  readonly grow: Growing<unknown> | undefined;
}

/** Whether what was asked then has all of these events. */
export const hasAll = (gained: Gained | undefined, askedAt: number): boolean =>
  gained !== undefined && askedAt > gained.untilMs;

/** Returns whether it should be read again. */
export function takeIn(entry: Entry, { id, projectId, gained, grow }: Told): boolean {
  if (entry.isChanged || hasAll(gained, entry.readAt)) return entry.isChanged;
  const gains = gained && entry.untilMs < gained.fromMs ? gained.issues.get(id) : undefined;
  const grown = gains && entry.answer !== undefined ? grow?.(entry.answer, gains) : undefined;
  if (!grown) {
    entry.isChanged = true;
    return true;
  }
  entry.answer = grown.answer;
  if (!grown.isExact) entry.lag ??= { sinceMs: steadyMs(), projectId, isGivenOut: false };
  return !grown.isExact;
}
