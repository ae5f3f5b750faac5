/** The beginning of what was answered: lists, and texts, as long as it takes to see what they are. */
import type { Json } from './stable.ts';

/** The most that an example takes, in characters of JSON, where cutting lists can bring it there. */
const target = 6_000;

const cut = (value: Json, items: number, letters: number): Json => {
  if (typeof value === 'string') return value.length > letters ? `${value.slice(0, letters - 1)}…` : value;
  // A point, a line of source: one thing.
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const isTuple = list.length <= 4 && list.some((one) => typeof one !== typeof list[0] || typeof one === 'number');
    return (isTuple ? list : list.slice(0, items)).map((one) => cut(one, items, letters));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, items, letters)]));
};

export function excerpt(value: Json): Json {
  const sizes = [
    [3, 600],
    [2, 300],
    [1, 160],
  ] as const;
  for (const [items, letters] of sizes) {
    const made = cut(value, items, letters);
    if (JSON.stringify(made).length <= target) return made;
  }
  return cut(value, 1, 80);
}
