/** What is prefilled where something is to be saved, and how much that would be. Pure. */
import type { ProjectCosts } from '../../../features/costs/queries.ts';
import type { FilterPreview, ProjectFilter } from '../../../features/inbound-filters/queries.ts';
import type { QuotaCategory } from '../../../features/quotas/queries.ts';
import type { ProjectRetention, RetentionClass } from '../../../features/retention/queries.ts';

type Name = RetentionClass['name'];
type ClassCost = ProjectCosts['classes'][number];

/** Characters of one pattern, and patterns of one filter. */
export const longestPattern = 200;
export const mostPatterns = 100;

/** The glob that means the text itself; of one that is too long, all that begin so. */
export function globOf(text: string): string {
  const escaped = text.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`);
  if (escaped.length <= longestPattern) return escaped;
  // Never in the middle of an escape or of a character.
  let glob = '';
  for (const char of text) {
    const next = globOf(char);
    if (glob.length + next.length >= longestPattern) break;
    glob += next;
  }
  return `${glob}*`;
}

/** With one pattern more. Those of a filter that is off were not asked for. */
export const withPattern = (
  { active, patterns }: Pick<ProjectFilter, 'active' | 'patterns'>,
  pattern: string,
): string[] => [...new Set([...((active && patterns) || []), pattern])];

/** Of the bytes of a class the share of what was looked at. */
export function savedByFilter(
  { examined, filters }: FilterPreview,
  id: ProjectFilter['id'],
  classes: readonly ClassCost[],
): { readonly errors: number; readonly transactions: number; readonly bytes: number } {
  const { errors = 0, transactions = 0 } = filters.find((filter) => filter.id === id) ?? {};
  const bytesOf = (name: Name): number => classes.find((one) => one.name === name)?.bytes ?? 0;
  const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
  return {
    errors,
    transactions,
    bytes:
      share(errors, examined.errors) * bytesOf('errors') +
      share(transactions, examined.transactions) * bytesOf('spans'),
  };
}

/** Classes that a quota counts, and outcomes as well: attachments are bytes to the one and items to the others. */
const categories: Partial<Readonly<Record<Name, QuotaCategory>>> = {
  errors: 'error',
  spans: 'span',
  logs: 'log_item',
  sessions: 'session',
};

export const quotaCategoryOf = (name: Name): QuotaCategory | undefined => categories[name];

/** Half of what was accepted, in two digits. */
export function suggestedAmount(accepted: number): number {
  const half = accepted / 2;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, half))) - 1);
  return Math.ceil(half / unit) * unit;
}

export function savedByQuota(
  amount: number,
  accepted: number,
  { bytes, rows }: Pick<ClassCost, 'bytes' | 'rows'>,
): { readonly dropped: number; readonly bytes: number } {
  const dropped = Math.max(0, accepted - amount);
  // What was accepted and is gone already takes nothing.
  return { dropped, bytes: Math.min(1, dropped / Math.max(1, rows)) * bytes };
}

/** The longest that is shorter than what holds now; else the shortest there is. */
export function suggestedPolicy(retention: ProjectRetention, name: Name): string | undefined {
  const now = retention.classes.find((one) => one.name === name)?.keptDays ?? 0;
  const byDays = retention.policies.toSorted((a, b) => a.days - b.days);
  return (byDays.findLast(({ days }) => days < now) ?? byDays[0])?.name;
}
