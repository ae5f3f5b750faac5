/** Field by field: what was sent, what is stored of it, what the API shows of that; each deviation has a name. */
import { object, type Json } from './json.ts';

export interface Field {
  readonly path: readonly string[];
  /** The path with `*` for places in lists. */
  readonly pattern: string;
  readonly before: unknown;
  /** Undefined where there is nothing. */
  readonly after: unknown;
  /** All that was before and is after, from the root. */
  readonly from: Json;
  readonly to: Json;
}

export interface Rule {
  readonly name: string;
  /** Why it is so. */
  readonly because: string;
  holds(field: Field): boolean;
}

export interface Report {
  fields: number;
  equal: number;
  /** By name of the rule. */
  readonly changed: Map<string, number>;
  /** Each once by pattern, with an example. */
  readonly lost: Map<string, string>;
}

export const newReport = (): Report => ({ fields: 0, equal: 0, changed: new Map(), lost: new Map() });

export function* leaves(value: unknown, path: readonly string[] = []): Generator<[readonly string[], unknown]> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* leaves(one, [...path, String(index)]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) yield* leaves(one, [...path, name]);
  } else if (value !== undefined) yield [path, value];
}

/** What stands there. */
export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (Array.isArray(inner) ? inner[Number(name)] : object(inner)?.[name]),
    value,
  );
}

/** Adds to the report what became of each field; the first rule that holds names a deviation. */
export function compare(report: Report, name: string, before: Json, after: Json, rules: readonly Rule[]): void {
  for (const [path, value] of leaves(before)) {
    report.fields++;
    const found = at(after, path);
    if (Object.is(found, value)) {
      report.equal++;
      continue;
    }
    const pattern = patternOf(path);
    const field: Field = { path, pattern, before: value, after: found, from: before, to: after };
    const rule = rules.find((one) => one.holds(field));
    if (rule) count(report, rule.name);
    else if (!report.lost.has(pattern)) {
      report.lost.set(pattern, `${name}: ${JSON.stringify(value)} became ${JSON.stringify(found)}`);
    }
  }
}

interface Shown {
  readonly name: string;
  readonly sent: Json;
  readonly kept: Json;
  /** Whether its page says a value, as it is stored. */
  said(path: readonly string[], value: unknown, kept: Json): boolean;
}

/** The same for a page. What is stored in another way than it was sent is said as it is stored. */
export function compareWithPage(report: Report, { name, sent, kept, said }: Shown, rules: readonly Rule[]): void {
  for (const [path, value] of leaves(sent)) {
    report.fields++;
    const found = at(kept, path);
    if (found === undefined || found === null || found === '') {
      count(report, 'not stored');
      continue;
    }
    if (said(path, typeof found === 'object' ? value : found, kept)) {
      report.equal++;
      continue;
    }
    const pattern = patternOf(path);
    const rule = rules.find((one) =>
      one.holds({ path, pattern, before: found, after: undefined, from: sent, to: kept }),
    );
    if (rule) count(report, rule.name);
    else if (!report.lost.has(pattern))
      report.lost.set(pattern, `${name}: ${path.join('.')}: ${JSON.stringify(found)}`);
  }
}

/** The path with `*` for places in lists. */
export const patternOf = (path: readonly string[]): string =>
  path.map((part) => (/^\d+$/.test(part) ? '*' : part)).join('.');

const count = ({ changed }: Report, name: string): void => void changed.set(name, (changed.get(name) ?? 0) + 1);

export function told(what: string, { fields, equal, changed, lost }: Report): string {
  const rules = [...changed].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`);
  return `${what}: ${[`${fields} fields`, `${equal} equal`, ...rules, `${lost.size} lost`].join(', ')}`;
}
