/** Single terms about rows as conditions. Each is in brackets and never NULL, so that it may be negated. */
import { type DataSet, dateSpan, type SearchKey, type SearchTerm, type SearchValue } from '@culprit/search';
import type { Bind } from './binding.ts';
import { attributeName, type Expression, expressionOf, userExpressions } from './expressions.ts';
import { buildSql, releasesWhere, versionKey, versionSql } from './release.ts';
import { containing, either, isLike, matches, plain } from './text.ts';

export interface TermOptions {
  /** What relative times count from. */
  readonly nowMs: number;
  /** What `project:` and `project.id:` may name. */
  readonly projects?: readonly { readonly id: number; readonly slug: string }[] | undefined;
  /** What `release:latest` means; without them the text itself. */
  readonly latestReleases?: readonly string[] | undefined;
  /** The condition of a term about issues, which rows know nothing of. Without it such a term throws. */
  readonly issueTerm?: ((term: SearchTerm, bind: Bind) => string) | undefined;
}

interface Context extends TermOptions {
  readonly dataSet: DataSet;
  readonly bind: Bind;
}

type Value<Type extends SearchValue['type']> = Extract<SearchValue, { type: Type }>;

/** Throws `TypeError` for terms about aggregates. */
export function compileTerm(term: SearchTerm, context: Context): string {
  if (term.kind === 'text') return anywhere(term.text, !term.quoted, context);
  const { key } = term;
  if (key.scope === 'aggregate') throw new TypeError(`${term.name} is no condition on rows`);
  if (key.scope === 'issue') {
    if (!context.issueTerm) throw new TypeError(`${term.name} is a key of issues`);
    return context.issueTerm(term, context.bind);
  }
  const condition = term.kind === 'has' ? has(key, context) : compileValue(key, term.value, context);
  return term.negated ? `(NOT ${condition})` : condition;
}

/** Short texts that repeat come first, since each is looked at once a block. */
const scalarTexts = ['title', 'message', 'error_value', 'culprit'];
const arrayTexts = ['error_values', 'stack_filenames', 'stack_functions'];

/** Words without a key. */
function anywhere(text: string, stars: boolean, { dataSet, bind }: Context): string {
  const contains = containing(text, stars, bind);
  if (dataSet === 'spans') return either([contains('name'), contains('transaction')]);
  return either([
    ...scalarTexts.map(contains),
    ...arrayTexts.map((column) => `arrayExists(one -> ${contains('one')}, ${column})`),
  ]);
}

function message(value: SearchValue, { dataSet, bind }: Context): string {
  const columns = dataSet === 'spans' ? ['name'] : ['title', 'message', 'error_value'];
  const texts = value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : [];
  return either(
    texts.flatMap((text) =>
      text === ''
        ? [
            `(${columns
              .slice(dataSet === 'spans' ? 0 : 1)
              .map((column) => `${column} = ''`)
              .join(' AND ')})`,
          ]
        : columns.map(value.type === 'list' ? containing(plain(text), false, bind) : containing(text, true, bind)),
    ),
  );
}

function has(key: SearchKey, { dataSet, bind }: Context): string {
  if (key.place.kind === 'message') return either([`${dataSet === 'spans' ? 'name' : 'message'} != ''`]);
  if (key.place.kind === 'tag' && dataSet === 'spans') {
    const name = attributeName(key.place.tag, bind);
    return `(mapContains(attributes, ${name}) OR mapContains(numbers, ${name}))`;
  }
  return present(expressionOf(key, dataSet, bind));
}

export function present({ kind, sql }: Expression): string {
  switch (kind) {
    case 'text':
    case 'attribute':
      return `(${sql} != '')`;
    case 'number':
    case 'flag':
      return `(isNotNull(${sql}))`;
    case 'time':
      return '(1)';
    default:
      return `(notEmpty(${sql}))`;
  }
}

/** Any value of the key that fits it. */
export function compileValue(key: SearchKey, value: SearchValue, context: Context): string {
  const { dataSet, bind, nowMs } = context;
  switch (key.place.kind) {
    case 'message':
      return message(value, context);
    case 'user':
      return user(value, context);
    case 'project':
      if (key.type === 'text') return projects(value, context);
      break;
    case 'release':
      if (key.place.part === 'version') return version(value, context);
      if (key.place.part === 'build' && value.type === 'version') return build(value, context);
      break;
    case 'column':
      if (key.place.column === 'release') return release(value, context);
      if (key.place.column === 'platform') return platform(value, context);
      break;
    case 'tag':
      if (dataSet === 'spans' && key.place.as === 'text') return attributeMatches(key.place.tag, value, bind);
      break;
    default:
  }
  const expression = expressionOf(key, dataSet, bind);
  if (key.place.kind === 'time' && (value.type === 'date' || value.type === 'age')) {
    return time(key.place.to, expression.sql, value, nowMs, bind);
  }
  return compare(expression, spelled(key, value), bind);
}

/** As the column spells it. */
function spelled(key: SearchKey, value: SearchValue): SearchValue {
  const format = key.place.kind === 'column' ? key.place.format : undefined;
  if (!format) return value;
  if (value.type === 'list') return { ...value, values: value.values.map((text) => spell(format, text)) };
  return value.type === 'text' ? { ...value, text: spell(format, value.text) } : value;
}

function spell(format: 'id' | 'digest' | 'level', text: string): string {
  if (format === 'id') return text.replaceAll('-', '').toLowerCase();
  if (format === 'digest') return text.replace(/@.*$/s, '');
  return text === 'warn' ? 'warning' : text;
}

function compare(expression: Expression, value: SearchValue, bind: Bind): string {
  const { kind, sql } = expression;
  switch (value.type) {
    case 'text':
      if (kind === 'texts') return anyText(sql, value, bind);
      return `(${matches(sql, value.text, value.wildcard, bind)})`;
    case 'list': {
      const list = bind(
        'Array(String)',
        value.values.map((text) => plain(text).toWellFormed()),
      );
      return kind === 'texts' ? `(hasAny(${sql}, ${list}))` : `(${sql} IN ${list})`;
    }
    case 'boolean':
      return kind === 'flags'
        ? `(has(${sql}, ${Number(value.value)}))`
        : `(ifNull(${sql} = ${Number(value.value)}, 0))`;
    default: {
      const condition = numberCondition(value, bind);
      return kind === 'numbers'
        ? `(arrayExists(one -> ${condition('one')}, ${sql}))`
        : `(ifNull(${condition(sql)}, 0))`;
    }
  }
}

/** How a number is compared, from an expression that gives it in the base unit. */
export function numberCondition(value: SearchValue, bind: Bind): (expression: string) => string {
  if (value.type === 'numbers') {
    const list = bind('Array(Float64)', value.values);
    return (expression) => `has(${list}, toFloat64(${expression}))`;
  }
  const limit = bind('Float64', baseAmount(value));
  const comparison = 'comparison' in value ? (value.comparison ?? '=') : '=';
  return (expression) => `${expression} ${comparison} ${limit}`;
}

function baseAmount(value: SearchValue): number {
  switch (value.type) {
    case 'number':
      return value.number;
    case 'duration':
      return value.ms;
    case 'size':
      return value.bytes;
    case 'percentage':
      return value.fraction;
    default:
      throw new TypeError(`a value of type ${value.type} is no number`);
  }
}

function anyText(sql: string, { text, wildcard }: Value<'text'>, bind: Bind): string {
  if (text === '') return `(empty(${sql}))`;
  if (!wildcard) return `(has(${sql}, ${bind('String', plain(text))}))`;
  return /^\*+$/.test(text)
    ? `(notEmpty(${sql}))`
    : `(arrayExists(one -> ${matches('one', text, true, bind)}, ${sql}))`;
}

/** Attributes are kept as text or as numbers, whatever they came as. */
function attributeMatches(tag: string, value: SearchValue, bind: Bind): string {
  const values = value.type === 'list' ? value.values.map((text) => ({ text, wildcard: false })) : [];
  if (value.type === 'text') values.push(value);
  const name = attributeName(tag, bind);
  return either(
    values.flatMap(({ text, wildcard }) => {
      const number = text.trim() === '' || wildcard ? Number.NaN : Number(text);
      const numeric = Number.isFinite(number)
        ? [`(mapContains(numbers, ${name}) AND numbers[${name}] = ${bind('Float64', number)})`]
        : [];
      const absent = text === '' ? ` AND NOT mapContains(numbers, ${name})` : '';
      if (wildcard && /^\*+$/.test(text)) numeric.push(`mapContains(numbers, ${name})`);
      return [`(${matches(`attributes[${name}]`, text, wildcard, bind)}${absent})`, ...numeric];
    }),
  );
}

function user(value: SearchValue, { dataSet, bind }: Context): string {
  const values =
    value.type === 'list'
      ? value.values.map((text) => ({ text, wildcard: false }))
      : value.type === 'text'
        ? [{ text: value.text, wildcard: value.wildcard }]
        : [];
  const fields = userExpressions[dataSet];
  return either(
    values.flatMap(({ text, wildcard }) => {
      if (text === '') return ["user = ''"];
      const [, field = '', rest = ''] = /^(id|email|username|ip):(.*)$/s.exec(text) ?? [];
      const named = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (named) return [matches(named, rest, wildcard, bind)];
      return Object.values(fields).map((expression) => matches(expression, text, wildcard, bind));
    }),
  );
}

function projects(value: SearchValue, { projects: known = [], bind }: Context): string {
  const wanted = (slug: string, id: string): boolean =>
    value.type === 'list'
      ? value.values.includes(slug) || value.values.includes(id)
      : value.type === 'text' && (value.wildcard ? isLike(slug, value.text) : [slug, id].includes(plain(value.text)));
  const ids = known.filter((project) => wanted(project.slug, String(project.id))).map((project) => project.id);
  return `(project_id IN ${bind('Array(UInt64)', ids)})`;
}

function release(value: SearchValue, context: Context): string {
  const { bind, latestReleases } = context;
  const asked = value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : [];
  // In quotes it is a release of that name.
  if (latestReleases && asked.includes('latest') && !(value.type === 'text' && value.quoted)) {
    const named = [...asked.filter((one) => one !== 'latest').map(plain), ...latestReleases];
    return `(release IN ${bind('Array(String)', named)})`;
  }
  return value.type === 'list'
    ? `(release IN ${bind('Array(String)', value.values.map(plain))})`
    : value.type === 'text'
      ? `(${matches('release', value.text, value.wildcard, bind)})`
      : '(0)';
}

/** Rust's SDK says `native`, as those of C and C++ do. */
function platform(value: SearchValue, { bind }: Context): string {
  const condition = compare(platformColumn, value, bind);
  const asked = value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : [];
  const wildcard = value.type === 'text' && value.wildcard;
  return asked.some((text) => (wildcard ? isLike('rust', text) : plain(text) === 'rust'))
    ? either([condition, sentByRust])
    : condition;
}

const platformColumn: Expression = { kind: 'text', sql: 'platform', type: 'String' };
export const sentByRust = "(platform = 'native' AND startsWith(sdk_name, 'sentry.rust'))";

function version(value: SearchValue, { dataSet, bind }: Context): string {
  const table = dataSet === 'spans' ? 'spans' : 'errors';
  if (value.type === 'list') {
    const keys = bind('Array(String)', value.values.map(versionKey));
    return releasesWhere(table, (key) => `${key} IN ${keys}`);
  }
  if (value.type !== 'version') throw new TypeError(`a value of type ${value.type} is no version`);
  if (value.wildcard) return `(${matches(versionSql, value.text, true, bind)})`;
  const limit = bind('String', versionKey(value.text));
  return releasesWhere(table, (key) => `${key} != '' AND ${key} ${value.comparison} ${limit}`);
}

/** Builds are numbers, which may be as long as a time, or versions; what is neither is never in order. */
function build({ text, comparison }: Value<'version'>, { dataSet, bind }: Context): string {
  if (/^\d+$/.test(text)) {
    return `(ifNull(toInt64OrNull(${buildSql}) ${comparison} ${bind('Int64', text)}, 0))`;
  }
  const limit = bind('String', versionKey(text));
  const table = dataSet === 'spans' ? 'spans' : 'errors';
  return releasesWhere(table, (key) => `${key} != '' AND ${key} ${comparison} ${limit}`, buildSql);
}

/** A moment that is cut to the hour or day is compared with moments cut so. */
function time(
  to: 'hour' | 'day' | undefined,
  sql: string,
  value: Value<'date' | 'age'>,
  nowMs: number,
  bind: Bind,
): string {
  const moment = (ms: number): string => `fromUnixTimestamp64Milli(${bind('Int64', ms)}, 'UTC')`;
  const { fromMs, untilMs } = dateSpan(value, nowMs);
  if (to && value.type === 'date' && (value.comparison ?? '=') === '=') {
    const cut = to === 'hour' ? 3_600_000 : 86_400_000;
    return `(${sql} = ${moment(Math.floor(fromMs / cut) * cut)})`;
  }
  return `(${[
    ...(Number.isFinite(fromMs) ? [`${sql} >= ${moment(fromMs)}`] : []),
    ...(Number.isFinite(untilMs) ? [`${sql} < ${moment(untilMs)}`] : []),
  ].join(' AND ')})`;
}

/** The same of the result of an aggregate. */
export const momentCondition = (sql: string, value: Value<'date' | 'age'>, nowMs: number, bind: Bind): string =>
  time(undefined, sql, value, nowMs, bind);
