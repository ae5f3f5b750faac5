/** What a preview of rules found, in sentences. Pure. */
import * as m from '../../messages/grouping-preview.ts';
import { percent } from '../../ui/numbers.ts';

interface Found {
  readonly examined: { readonly events: number; readonly issues: number; readonly sampled: boolean };
  readonly merges: readonly { readonly issues: readonly unknown[] }[];
  readonly splits: readonly unknown[];
  readonly unchanged: number;
}

/** How much was grouped again. */
export function examinedWords({ examined: { events, issues, sampled } }: Found): string {
  if (events === 0) return m.none;
  const counts = { events: m.events({ count: events }), issues: m.issues({ count: issues }) };
  return (sampled ? m.sampled : m.examined)(counts);
}

/** The answer in one sentence. */
export function verdictWords({ merges, splits, unchanged, examined }: Found): string {
  if (examined.events === 0) return m.nothing;
  const joined = merges.reduce((sum, { issues }) => sum + issues.length, 0);
  const wouldMerge = m.wouldMerge({ count: joined, merged: merges.length });
  const wouldSplit = m.wouldSplit({ count: splits.length });
  const rest = { count: unchanged };
  if (joined > 0 && splits.length > 0) return m.changes({ merges: wouldMerge, splits: wouldSplit, ...rest });
  if (joined > 0) return m.change({ change: wouldMerge, ...rest });
  return splits.length > 0 ? m.change({ change: wouldSplit, ...rest }) : m.noChange(rest);
}

/** `40%`; a whole number, for a bar and its reader. */
export function progressWords(progress: number): string {
  return percent(Math.max(0, Math.min(1, progress)), 1);
}
