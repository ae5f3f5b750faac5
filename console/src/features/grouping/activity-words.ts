/** What was done about an issue's grouping by hand, in words. Pure; what was stored is not trusted to be whole. */
import { plural, pluralForm } from '../../ui/numbers.ts';
interface Entry {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const maxNamed = 3;

/** `prefix` is that of the project's short ids. Undefined: this is no activity of grouping. */
export function groupingActivityWords({ type, data }: Entry, prefix: string): string | undefined {
  const others = namesOf(data, prefix);
  switch (type) {
    case 'merged':
      return `${others} merged into this issue`;
    case 'merged_into':
      return `Merged into ${others}`;
    case 'unmerged':
      return `Merge taken back: ${others} ${pluralForm(Number(data['count']), 'stands for itself', 'stand for themselves')} again`;
    case 'taken_back':
      return `Stands for itself again, no part of ${others} any more`;
    case 'split':
      return `${hashesOf(data)} moved out into ${others}`;
    case 'split_from':
      return `Began with ${hashesOf(data)} of ${others}`;
    default:
      return undefined;
  }
}

/** `WEB-3`, `WEB-3, WEB-4 and 7 more`. */
function namesOf({ issues, count }: Entry['data'], prefix: string): string {
  const numbers = (Array.isArray(issues) ? issues : [])
    .map((each: unknown) => (typeof each === 'object' && each !== null && 'number' in each ? each.number : undefined))
    .filter((number) => typeof number === 'number');
  if (numbers.length === 0) return 'another issue';
  const shown = numbers.slice(0, maxNamed).map((number) => `${prefix}-${number}`);
  const all = typeof count === 'number' ? Math.max(count, numbers.length) : numbers.length;
  const rest = all - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.length > 1 ? shown.pop() : undefined;
  return last === undefined ? shown.join() : `${shown.join(', ')} and ${last}`;
}

function hashesOf({ hashes }: Entry['data']): string {
  return typeof hashes === 'number' ? plural(hashes, 'hash', 'hashes') : 'hashes';
}
