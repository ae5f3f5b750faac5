/** What a preview of rules found, in sentences. Pure. */
import { exactNumber, percent, plural, pluralForm } from '../../ui/numbers.ts';

interface Found {
  readonly examined: { readonly events: number; readonly issues: number; readonly sampled: boolean };
  readonly merges: readonly { readonly issues: readonly unknown[] }[];
  readonly splits: readonly unknown[];
  readonly unchanged: number;
}

/** How much was looked at. */
export function examinedWords({ examined: { events, issues, sampled } }: Found): string {
  if (events === 0) return 'No event of this time is stored, so there is nothing to see.';
  return `${plural(events, 'event')} of ${plural(issues, 'issue')} ${pluralForm(events, 'was', 'were')} grouped anew${sampled ? ', a sample of all' : ''}.`;
}

/** The answer in one sentence. */
export function verdictWords({ merges, splits, unchanged, examined }: Found): string {
  if (examined.events === 0) return 'Nothing to compare';
  const joined = merges.reduce((sum, { issues }) => sum + issues.length, 0);
  const parts = [
    joined > 0 && `${plural(joined, 'issue')} would become ${exactNumber(merges.length)}`,
    splits.length > 0 && `${plural(splits.length, 'issue')} would split`,
  ].filter((part) => part !== false);
  const same = `${plural(unchanged, 'issue')} ${pluralForm(unchanged, 'stays as it is', 'stay as they are')}`;
  if (parts.length === 0) return `Nothing would change: ${same}`;
  return `${parts.join(', ')}; ${same}`;
}

/** `40%`; a whole number, for a bar and its reader. */
export function progressWords(progress: number): string {
  return percent(Math.max(0, Math.min(1, progress)), 1);
}
