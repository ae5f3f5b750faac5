/**
 * A search over logs as conditions: `level:[error, fatal] service:api "timed out"`. Words look into the body; a name
 * that is no column is an attribute, whose numbers may be compared (`total:>5`). Every value is a bound parameter.
 */
import type { SqlPart } from '../issues/index.ts';
import type { SearchTerm } from '../search/index.ts';

const columns: ReadonlyMap<string, string> = new Map([
  ['level', 'level'],
  ['severity', 'level'],
  ['service', 'service'],
  ['environment', 'environment'],
  ['release', 'release'],
  ['origin', 'origin'],
  ['trace', 'trace_id'],
  ['span', 'span_id'],
  ['sdk.name', 'sdk_name'],
  ['sdk.version', 'sdk_version'],
]);

const comparison = /^(>=|<=|>|<)(-?\d{1,15}(?:\.\d{1,15})?)$/;

export interface LogFilter {
  readonly part: SqlPart;
  /** Slugs that the search names, undefined where it names none. */
  readonly projects: readonly string[] | undefined;
  /** Names whose values cannot be read here. */
  readonly unknown: readonly string[];
}

type Bind = (type: string, value: unknown) => string;

export function compileLogFilter(terms: readonly SearchTerm[]): LogFilter {
  const params: Record<string, unknown> = {};
  const bind: Bind = (type, value) => {
    const name = `search${Object.keys(params).length}`;
    params[name] = value;
    return `{${name}:${type}}`;
  };
  const conditions: string[] = [];
  const unknown: string[] = [];
  let projects: string[] | undefined;
  for (const term of terms) {
    if (term.kind === 'text') {
      if (term.text !== '') conditions.push(`(${contains(term.text, bind)})`);
      continue;
    }
    // What only issues have; as the name of an attribute it would quietly find nothing.
    const ofIssue = term.key.place === 'issue';
    const condition = ofIssue ? undefined : term.kind === 'has' ? has(term.name, bind) : valuesOf(term);
    if (condition === undefined) unknown.push(term.name);
    else if (typeof condition === 'string') conditions.push(negated(term.negated, condition));
    else if (isProject(term.name) && !term.negated) projects = [...(projects ?? []), ...condition];
    else conditions.push(negated(term.negated, matches(term.name, condition, bind)));
  }
  return { part: { conditions, params }, projects, unknown };
}

/** Of these traces alone. */
export const amongTraces = ({ conditions, params }: SqlPart, traceIds: readonly string[]): SqlPart => ({
  conditions: [
    ...conditions,
    traceIds.length === 1 ? 'trace_id = {traceId:String}' : 'trace_id IN {traceIds:Array(String)}',
  ],
  params: { ...params, ...(traceIds.length === 1 ? { traceId: traceIds[0] } : { traceIds }) },
});

const isProject = (name: string): boolean => name === 'project' || name === 'project.name';
const negated = (not: boolean, condition: string): string => (not ? `(NOT ${condition})` : condition);

function valuesOf({ value }: Extract<SearchTerm, { kind: 'filter' }>): readonly string[] | undefined {
  if (value.type === 'list') return value.values;
  return value.type === 'text' ? [value.text] : undefined;
}

function has(name: string, bind: Bind): string {
  const column = columns.get(name);
  if (column !== undefined) return `(${column} != '')`;
  const key = bind('String', name);
  return `(mapContains(attributes, ${key}) OR mapContains(numbers, ${key}))`;
}

function matches(name: string, values: readonly string[], bind: Bind): string {
  if (name === 'message' || name === 'body') return inBody(values, bind);
  const column = columns.get(name);
  if (column !== undefined)
    return `(${values.map((value) => isText(column, spelled(column, value), bind)).join(' OR ')})`;
  const key = bind('String', name);
  return `(${values.map((value) => isAttribute(key, value, bind)).join(' OR ')})`;
}

function spelled(column: string, value: string): string {
  if (column === 'trace_id' || column === 'span_id') return value.replaceAll('-', '').toLowerCase();
  return column === 'level' && value === 'warning' ? 'warn' : value;
}

function isText(expression: string, value: string, bind: Bind): string {
  if (!/(?<!\\)\*/.test(value)) return `${expression} = ${bind('String', value.replaceAll('\\*', '*'))}`;
  return `${expression} LIKE ${bind('String', likePattern(value))}`;
}

function isAttribute(key: string, value: string, bind: Bind): string {
  const [, operator, limit] = comparison.exec(value) ?? [];
  if (operator !== undefined) {
    return `(mapContains(numbers, ${key}) AND numbers[${key}] ${operator} ${bind('Float64', Number(limit))})`;
  }
  const text = isText(`attributes[${key}]`, value, bind);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return text;
  return `(${text} OR (mapContains(numbers, ${key}) AND numbers[${key}] = ${bind('Float64', number)}))`;
}

/** Runs of stars are one, all else stands for itself. */
function likePattern(text: string): string {
  return text.replace(/\\\*|\*+|[%_\\]/g, (part) => (part === '\\*' ? '*' : part.startsWith('*') ? '%' : `\\${part}`));
}

function inBody(texts: readonly string[], bind: Bind): string {
  const conditions = texts.map((text) =>
    /(?<!\\)\*/.test(text)
      ? `body ILIKE ${bind('String', `%${likePattern(text)}%`)}`
      : contains(text.replaceAll('\\*', '*'), bind),
  );
  return `(${conditions.join(' OR ')})`;
}

/** ASCII can be searched ignoring case several times faster than all of Unicode. */
function contains(text: string, bind: Bind): string {
  const position = /^\p{ASCII}*$/u.test(text) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
  return `${position}(body, ${bind('String', text)}) > 0`;
}
