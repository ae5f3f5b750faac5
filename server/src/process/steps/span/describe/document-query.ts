/** Queries of document stores, which are JSON: keys stay, values become `?`. */
import { asObject } from '../../json.ts';

const maxDepth = 8;
const maxEntries = 500;

/** Undefined where the text is no JSON object. */
export function documentQuery(text: string): string | undefined {
  if (!text.startsWith('{') || text.length > 10_000) return undefined;
  try {
    const query = asObject(JSON.parse(text));
    return query && JSON.stringify(masked(query, { left: maxEntries }, 1));
  } catch {
    return undefined;
  }
}

/** Lists of alike values are one value. Names of collections stand in the command's own entry and stay. */
function masked(value: Readonly<Record<string, unknown>>, budget: { left: number }, depth: number): object {
  const entries: [string, unknown][] = [];
  for (const key in value) {
    if (budget.left-- <= 0) break;
    entries.push([key, maskedValue(value[key], budget, depth, depth === 1)]);
  }
  return Object.fromEntries(entries);
}

function maskedValue(value: unknown, budget: { left: number }, depth: number, isCommand: boolean): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [maskedValue(value[0], budget, depth + 1, false)];
  const object = asObject(value);
  if (object && depth < maxDepth) return masked(object, budget, depth + 1);
  return isCommand && typeof value === 'string' && /^[\w.$-]{1,128}$/.test(value) ? value : '?';
}
