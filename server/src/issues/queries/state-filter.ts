/** Search terms about issues as conditions on the state store, and which projects they leave. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { performanceIssueTypes } from '../../performance/problem-types.ts';
import { dateSpan, isValues, type SearchTerm, type SearchValue } from '../../search/index.ts';
import type { IssueStatus, StateSchema } from '../../state/schema.ts';
import type { LifeCounts, VisibleProject } from '../types.ts';

type Builder = ExpressionBuilder<StateSchema, 'issue'>;
type Condition = (builder: Builder) => Expression<SqlBool>;

export interface StateFilter {
  readonly projects: readonly VisibleProject[];
  readonly statuses: readonly IssueStatus[];
  readonly conditions: readonly Condition[];
  /** Conditions on counts over the life of the issue, which the state store does not know. */
  readonly counts: readonly ((life: LifeCounts) => boolean)[];
  /** False when the conditions leave the status alone: every issue is a candidate. */
  readonly narrow: boolean;
}

const allStatuses: readonly IssueStatus[] = ['unresolved', 'resolved', 'archived'];

export function stateFilter(
  terms: readonly SearchTerm[],
  projects: readonly VisibleProject[],
  nowMs: number,
): StateFilter {
  let statuses = allStatuses;
  let left = projects;
  const conditions: Condition[] = [];
  const counts: ((life: LifeCounts) => boolean)[] = [];
  for (const term of terms) {
    if (term.kind !== 'filter') continue;
    const { key, value, negated } = term;
    if (key.place === 'project') {
      left = left.filter(
        (project) => [project.slug, String(project.id)].some((name) => matches(value, name)) !== negated,
      );
    }
    if (key.place !== 'issue') continue;
    switch (key.field) {
      case 'is': {
        const { status, substatus, always } = (value.type === 'text' && isValues.get(value.text)) || {};
        if (status) statuses = statuses.filter((one) => (one === status) !== negated);
        if (substatus && negated)
          conditions.push((eb) => eb.or([eb('substatus', 'is', null), eb('substatus', '!=', substatus)]));
        else if (substatus) conditions.push((eb) => eb('substatus', '=', substatus));
        if (always === negated) left = [];
        break;
      }
      case 'assigned':
        // Nobody can be assigned yet: `none` is all there is.
        if (matches(value, 'none') === negated) left = [];
        break;
      case 'first_seen':
      case 'last_seen':
        conditions.push(dated(key.field, value, negated, nowMs));
        break;
      case 'id':
        conditions.push(numbered(value, negated));
        break;
      case 'first_release':
      case 'type':
        conditions.push(texted(key.field, value, negated));
        break;
      case 'category':
        conditions.push(categories(value, negated));
        break;
      case 'short_id':
        conditions.push(shortIds(value, negated, projects));
        break;
      case 'times_seen':
        counts.push((life) => compared(value, life.count) !== negated);
        break;
      case 'user_count':
        counts.push((life) => compared(value, life.userCount) !== negated);
    }
  }
  return {
    projects: left,
    statuses,
    conditions,
    counts,
    narrow: conditions.length > 0 || statuses.length < allStatuses.length,
  };
}

const not = (eb: Builder, condition: Expression<SqlBool>, negated: boolean): Expression<SqlBool> =>
  negated ? eb.not(condition) : condition;

function dated(column: 'first_seen' | 'last_seen', value: SearchValue, negated: boolean, nowMs: number): Condition {
  if (value.type !== 'date' && value.type !== 'age') throw new TypeError(`${column} needs a date`);
  const { fromMs, untilMs } = dateSpan(value, nowMs);
  return (eb) =>
    not(
      eb,
      eb.and([
        ...(Number.isFinite(fromMs) ? [eb(column, '>=', fromMs)] : []),
        ...(Number.isFinite(untilMs) ? [eb(column, '<', untilMs)] : []),
      ]),
      negated,
    );
}

function numbered(value: SearchValue, negated: boolean): Condition {
  return (eb) => {
    if (value.type === 'numbers') return not(eb, eb('id', 'in', [...value.values]), negated);
    if (value.type !== 'number') throw new TypeError('an issue id is a number');
    return not(eb, eb('id', value.comparison, value.number), negated);
  };
}

/** A LIKE pattern with `\` as escape. */
const likePattern = (text: string): string =>
  text.replaceAll(/\\\*|\*+|[%_\\]/g, (part) => (part === '\\*' ? '*' : part.startsWith('*') ? '%' : `\\${part}`));

function texted(column: 'first_release' | 'type', value: SearchValue, negated: boolean): Condition {
  // An absent value counts as the empty text, so that a negated term finds it.
  const text = sql<string>`coalesce(${sql.ref(column)}, '')`;
  return (eb) => {
    if (value.type === 'list') return not(eb, eb(text, 'in', [...value.values]), negated);
    if (value.type !== 'text') throw new TypeError(`${column} needs a text`);
    if (!value.wildcard) return not(eb, eb(text, '=', value.text.replaceAll('\\*', '*')), negated);
    return not(eb, sql<SqlBool>`${text} like ${likePattern(value.text)} escape '\\'`, negated);
  };
}

/** Of the two that there are; none of another name has any issue. */
function categories(value: SearchValue, negated: boolean): Condition {
  const types = [...performanceIssueTypes];
  const performance = matches(value, 'performance') !== negated;
  const errors = matches(value, 'error') !== negated;
  return (eb) =>
    eb.or([...(performance ? [eb('type', 'in', types)] : []), ...(errors ? [eb('type', 'not in', types)] : [])]);
}

function shortIds(value: SearchValue, negated: boolean, projects: readonly VisibleProject[]): Condition {
  const texts = value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : [];
  const wanted = texts.flatMap((text) => parseShortId(text, projects));
  return (eb) =>
    not(
      eb,
      eb.or(
        wanted.map(({ projectId, number }) => eb.and([eb('project_id', '=', projectId), eb('number', '=', number)])),
      ),
      negated,
    );
}

/** `WEB-12` as the projects and number that it may mean; prefixes are unique in an organisation only. */
export function parseShortId(
  text: string,
  projects: readonly VisibleProject[],
): { projectId: number; number: number }[] {
  const [, prefix, digits] = /^(.+)-(\d{1,9})$/.exec(text) ?? [];
  if (!prefix) return [];
  return projects
    .filter((project) => project.shortIdPrefix.toUpperCase() === prefix.toUpperCase())
    .map((project) => ({ projectId: project.id, number: Number(digits) }));
}

function matches(value: SearchValue, text: string): boolean {
  if (value.type === 'list') return value.values.includes(text);
  if (value.type !== 'text') return false;
  if (!value.wildcard) return value.text === text;
  return matchesParts(value.text.split('*'), text);
}

/** Whether the text begins with the first part, ends with the last and has the others between in their order. */
function matchesParts(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

function compared(value: SearchValue, count: number): boolean {
  if (value.type === 'numbers') return value.values.includes(count);
  if (value.type !== 'number') return false;
  switch (value.comparison) {
    case '>':
      return count > value.number;
    case '>=':
      return count >= value.number;
    case '<':
      return count < value.number;
    case '<=':
      return count <= value.number;
    case '=':
      return count === value.number;
  }
}
