/** Whether a resource, or one of several values, is what a filter asks for. Pure. */
import type { AttributePath, Filter, Operator, Scalar } from './filter.ts';
import { isList, isObject, type Json, type JsonObject, valueOf } from './json.ts';

/** Whose case says something. */
const exact: ReadonlySet<string> = new Set(['id', 'externalid']);

export function matches(object: JsonObject, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(object, part));
    case 'or':
      return filter.parts.some((part) => matches(object, part));
    case 'not':
      return !matches(object, filter.part);
    case 'present':
      return valuesAt(object, filter.path).some(isPresent);
    case 'compare': {
      const isExact = exact.has(filter.path.name.toLowerCase());
      const values = valuesAt(object, filter.path);
      // Not equal is what has no equal value, and what has none at all.
      if (filter.operator === 'ne') return !values.some((value) => compare(value, 'eq', filter.value, isExact));
      return values.some((value) => compare(value, filter.operator, filter.value, isExact));
    }
    case 'values': {
      const { rest } = filter;
      const own = elementsOf(valueOf(object, filter.name)).filter((one) => matches(one, filter.filter));
      return rest ? own.some((one) => matches(one, rest)) : own.length > 0;
    }
  }
}

/** What may be filtered: values that are texts are their own `value`. */
const elementsOf = (value: Json | undefined): JsonObject[] =>
  (isList(value) ? value : value === undefined ? [] : [value]).map((one) => (isObject(one) ? one : { value: one }));

const isPresent = (value: Json): boolean =>
  value !== null &&
  value !== '' &&
  (!isList(value) || value.length > 0) &&
  (!isObject(value) || !!Object.keys(value).length);

/** Of an attribute with several values, each. */
function valuesAt(object: JsonObject, { name, sub }: AttributePath): Json[] {
  const found = valueOf(object, name);
  const all = isList(found) ? found : found === undefined ? [] : [found];
  return all.flatMap((one) => {
    if (!isObject(one)) return sub === undefined ? [one] : [];
    return valueOf(one, sub ?? 'value') ?? (sub === undefined ? [one] : []);
  });
}

const textOf = (value: Json): string | undefined => (typeof value === 'string' ? value : undefined);

function compare(value: Json, operator: Operator, wanted: Scalar, isExact: boolean): boolean {
  if (typeof value === 'boolean') {
    const asked = typeof wanted === 'string' ? wanted.toLowerCase() : String(wanted);
    return operator === 'eq' && String(value) === asked;
  }
  if (typeof value === 'number' && typeof wanted === 'number') return ordered(value - wanted, operator);
  const [text, asked] = [textOf(value), textOf(wanted)];
  if (text === undefined || asked === undefined) return operator === 'eq' && value === wanted;
  const [a, b] = isExact ? [text, asked] : [text.toLowerCase(), asked.toLowerCase()];
  if (operator === 'co') return a.includes(b);
  if (operator === 'sw') return a.startsWith(b);
  if (operator === 'ew') return a.endsWith(b);
  return ordered(a < b ? -1 : a > b ? 1 : 0, operator);
}

function ordered(difference: number, operator: Operator): boolean {
  switch (operator) {
    case 'eq':
      return difference === 0;
    case 'gt':
      return difference > 0;
    case 'ge':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'le':
      return difference <= 0;
    default:
      return false;
  }
}
