/**
 * A search over logs as conditions: `level:[error, fatal] service:api "timed out"`. Words look into the body; a name
 * that is no column is an attribute, whose numbers may be compared (`total:>5`). Every value is a bound parameter.
 */
import type { Comparison, SearchNode, SearchTerm } from '@culprit/search';
import type { SqlPart } from '../../base/sql.ts';
import { isTerm } from '../issues/index.ts';

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

export function compileLogFilter(root: SearchNode | undefined): LogFilter {
  const params: Record<string, unknown> = {};
  const bind: Bind = (type, value) => {
    const name = `search${Object.keys(params).length}`;
    params[name] = value;
    return `{${name}:${type}}`;
  };
  const conditions: string[] = [];
  const unknown: string[] = [];
  let projects: readonly string[] | undefined;
  const all = root && !isTerm(root) && root.kind === 'and' ? root.nodes : root ? [root] : [];
  for (const node of all) {
    const named = projectsNamed(node);
    if (named) projects = [...(projects ?? []), ...named];
    else conditions.push(conditionOf(node, bind, unknown));
  }
  return { part: { conditions, params }, projects, unknown };
}

/** What cannot be read here is noted, and then the condition is not to be used. */
function conditionOf(node: SearchNode, bind: Bind, unknown: string[]): string {
  if (!isTerm(node)) {
    const joint = node.kind === 'and' ? ' AND ' : ' OR ';
    return `(${node.nodes.map((one) => conditionOf(one, bind, unknown)).join(joint)})`;
  }
  if (node.kind === 'text') return node.text === '' ? '1' : `(${contains(node.text, bind)})`;
  const condition = ofIssues(node) ? undefined : node.kind === 'has' ? has(node.name, bind) : filter(node, bind);
  if (condition === undefined) unknown.push(node.name);
  return negated(node.negated, condition ?? '0');
}

type Filter = Extract<SearchTerm, { kind: 'filter' }>;

/** What only issues have, and the project where it is not asked of all logs: attributes of these names would quietly find nothing. */
const ofIssues = (term: Exclude<SearchTerm, { kind: 'text' }>): boolean =>
  'place' in term.key && (term.key.place.kind === 'issue' || term.key.place.kind === 'project');

function projectsNamed(node: SearchNode): readonly string[] | undefined {
  if (node.kind !== 'filter' || node.negated || !('place' in node.key) || node.key.place.kind !== 'project') {
    return undefined;
  }
  const { value } = node;
  if (value.type === 'number') return [String(value.number)];
  return value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : undefined;
}

function filter({ name, value }: Filter, bind: Bind): string | undefined {
  switch (value.type) {
    case 'text':
      return matches(name, [value.text], bind);
    case 'list':
      return matches(name, value.values, bind);
    case 'number':
      return isNumber(bind('String', name), value.comparison, value.number, bind);
    case 'numbers': {
      const key = bind('String', name);
      return `(${value.values.map((number) => isNumber(key, '=', number, bind)).join(' OR ')})`;
    }
    default:
      return undefined;
  }
}

const isNumber = (key: string, operator: Comparison, number: number, bind: Bind): string =>
  `(mapContains(numbers, ${key}) AND numbers[${key}] ${operator} ${bind('Float64', number)})`;

/** Of these traces alone. */
export const amongTraces = ({ conditions, params }: SqlPart, traceIds: readonly string[]): SqlPart => ({
  conditions: [
    ...conditions,
    traceIds.length === 1 ? 'trace_id = {traceId:String}' : 'trace_id IN {traceIds:Array(String)}',
  ],
  params: { ...params, ...(traceIds.length === 1 ? { traceId: traceIds[0] } : { traceIds }) },
});

const negated = (not: boolean, condition: string): string => (not ? `(NOT ${condition})` : condition);

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
    return isNumber(key, operator as Comparison, Number(limit), bind);
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
