/** What was done about an issue's grouping by hand, in words. Pure; what was stored is not trusted to be whole. */
import * as words from '../../messages/merging.ts';

const m = words.activity;

interface Entry {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const maxNamed = 3;

/** `prefix` is that of the project's short ids. Undefined: this is no activity of grouping. */
export function groupingActivityWords({ type, data }: Entry, prefix: string): string | undefined {
  const issues = namesOf(data, prefix);
  switch (type) {
    case 'merged':
      return m.merged({ issues });
    case 'merged_into':
      return m.mergedInto({ issues });
    case 'unmerged':
      return m.unmerged({ issues });
    case 'taken_back':
      return m.unmergedFrom({ issues });
    case 'split':
      return m.split({ hashes: hashesOf(data), issues });
    case 'split_from':
      return m.splitFrom({ hashes: hashesOf(data), issues });
    default:
      return undefined;
  }
}

/** `WEB-3`, `WEB-3, WEB-4 and 7 more`. */
function namesOf({ issues, count }: Entry['data'], prefix: string): string {
  const numbers = (Array.isArray(issues) ? issues : [])
    .map((each: unknown) => (typeof each === 'object' && each !== null && 'number' in each ? each.number : undefined))
    .filter((number) => typeof number === 'number');
  if (numbers.length === 0) return m.another;
  const shown = numbers.slice(0, maxNamed).map((number) => `${prefix}-${number}`);
  const all = typeof count === 'number' ? Math.max(count, numbers.length) : numbers.length;
  const rest = all - shown.length;
  if (rest > 0) return m.andMore({ list: shown.join(', '), count: rest });
  const last = shown.length > 1 ? shown.pop() : undefined;
  return last === undefined ? shown.join() : m.and({ list: shown.join(', '), last });
}

function hashesOf({ hashes }: Entry['data']): string {
  return typeof hashes === 'number' ? m.hashCount({ count: hashes }) : m.hashes;
}
