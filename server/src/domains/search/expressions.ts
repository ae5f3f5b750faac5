/** Keys as ClickHouse expressions over the rows of a data set. */
import type { DataSet, KeyPlace, SearchKey } from '@culprit/search';
import { canonicalName } from '../../process/steps/span/names.ts';
import type { Bind } from './binding.ts';
import { buildSql, packageSql, versionSql } from './release.ts';

export interface Expression {
  /**
   * `text` is '' where absent, `number` and `flag` NULL. `attribute` is text of a span that may be kept as a number:
   * comparing asks both. The others are arrays of those.
   */
  readonly kind: 'text' | 'number' | 'flag' | 'time' | 'attribute' | 'texts' | 'numbers' | 'flags';
  readonly sql: string;
  /** ClickHouse type. */
  readonly type: string;
}

const asText = (sql: string): Expression => ({ kind: 'text', sql, type: 'String' });
const asNumber = (sql: string): Expression => ({ kind: 'number', sql, type: 'Nullable(Float64)' });

const arrays: Readonly<Record<'text' | 'number' | 'flag', Expression>> = {
  text: { kind: 'texts', sql: '', type: 'Array(LowCardinality(String))' },
  number: { kind: 'numbers', sql: '', type: 'Array(UInt32)' },
  flag: { kind: 'flags', sql: '', type: 'Array(UInt8)' },
};

/** Name of a span's attribute in SQL; attributes are stored under one name each. */
export const attributeName = (tag: string, bind: Bind): string => bind('String', canonicalName(tag));

/** Who was affected, by what is known of them. */
export const userExpressions: Readonly<Record<DataSet, Readonly<Record<string, string>>>> = {
  issues: { id: 'user_id', email: 'user_email', username: 'user_username', ip: 'user_ip' },
  events: { id: 'user_id', email: 'user_email', username: 'user_username', ip: 'user_ip' },
  spans: {
    id: "attributes['user.id']",
    email: "attributes['user.email']",
    username: "attributes['user.name']",
    ip: "attributes['user.ip_address']",
  },
};

const factText = (path: readonly string[], bind: Bind): string =>
  `JSONExtract(facts, ${path.map((name) => bind('String', name)).join(', ')}, 'String')`;

/** `of`: the table's columns are fixed names of ours; whatever came with the query is bound. Throws for issue keys. */
export function expressionOf(key: SearchKey, dataSet: DataSet, bind: Bind): Expression {
  const { place } = key;
  switch (place.kind) {
    case 'column':
      return asText(place.ofSegment ? `if(is_segment = 1, ${place.column}, '')` : place.column);
    case 'number':
      return asNumber(numberColumn(place));
    case 'boolean':
      return { kind: 'flag', sql: place.inverse ? `1 - ${place.column}` : place.column, type: 'Nullable(UInt8)' };
    case 'time':
      return { kind: 'time', sql: timeColumn(place), type: `DateTime64(${place.precision === 'us' ? 6 : 3}, 'UTC')` };
    case 'array': {
      const of = key.type === 'text' ? 'text' : key.type === 'boolean' ? 'flag' : 'number';
      return { ...arrays[of], sql: place.column };
    }
    case 'tag':
      return dataSet === 'spans' ? attribute(place, bind) : tag(place, bind);
    case 'path':
      return ofType(key, pathText(place, bind));
    case 'header':
      return asText(header(place.header, bind));
    case 'flag':
      return dataSet === 'spans'
        ? asText(`attributes[${bind('String', `flag.evaluation.${place.flag}`)}]`)
        : asText(flag(place.flag, bind));
    case 'release':
      return asText({ version: versionSql, package: packageSql, build: buildSql }[place.part]);
    case 'user':
      return asText('user');
    case 'message':
      return asText(dataSet === 'spans' ? 'name' : 'title');
    case 'handled-tag':
      return asText(`multiIf(isNull(handled), '', handled = 1, 'yes', 'no')`);
    case 'project':
      return { kind: 'number', sql: 'project_id', type: 'UInt64' };
    case 'issue':
    case 'nowhere':
      throw new TypeError(`${key.name} is nothing that ${dataSet} have`);
  }
}

const ofType = (key: SearchKey, sql: string): Expression =>
  key.type === 'text' ? asText(sql) : asNumber(`toFloat64OrNull(${sql})`);

type Place<Kind extends KeyPlace['kind']> = Extract<KeyPlace, { kind: Kind }>;

function numberColumn({ column, divisor, absent, ofSegment }: Place<'number'>): string {
  const amount = divisor === 1 ? column : `${column} / ${divisor}`;
  const conditions = [
    ...(absent === undefined ? [] : [`${column} != ${absent}`]),
    ...(ofSegment ? ['is_segment = 1'] : []),
  ];
  return conditions.length ? `if(${conditions.join(' AND ')}, ${amount}, NULL)` : `(${amount})`;
}

const timeColumn = ({ column, to }: Place<'time'>): string =>
  to === 'hour' ? `toStartOfHour(${column})` : to === 'day' ? `toStartOfDay(${column}, 'UTC')` : column;

const truth = (text: string): string =>
  `multiIf(lower(${text}) IN ('true', '1'), 1, lower(${text}) IN ('false', '0'), 0, NULL)`;

function tag({ tag: name, as }: Place<'tag'>, bind: Bind): Expression {
  const text = `tags[${bind('String', name)}]`;
  if (as === 'text') return asText(text);
  if (as === 'number') return asNumber(`toFloat64OrNull(${text})`);
  return { kind: 'flag', sql: truth(text), type: 'Nullable(UInt8)' };
}

function attribute({ tag: name, as }: Place<'tag'>, bind: Bind): Expression {
  const key = attributeName(name, bind);
  const text = `attributes[${key}]`;
  const number = `numbers[${key}]`;
  if (as === 'number') return asNumber(`if(mapContains(numbers, ${key}), ${number}, toFloat64OrNull(${text}))`);
  if (as === 'boolean') return { kind: 'flag', sql: truth(text), type: 'Nullable(UInt8)' };
  return { kind: 'attribute', sql: `if(mapContains(numbers, ${key}), toString(${number}), ${text})`, type: 'String' };
}

function pathText({ path, tag: name }: Place<'path'>, bind: Bind): string {
  const text = factText(path, bind);
  if (name === undefined) return text;
  const key = bind('String', name);
  return `if(mapContains(tags, ${key}), tags[${key}], ${text})`;
}

const header = (name: string, bind: Bind): string =>
  `tupleElement(arrayFirst(one -> lower(one.1) = ${bind('String', name)},
    JSONExtract(facts, 'request', 'headers', 'Array(Tuple(String, String))')), 2)`;

const flag = (name: string, bind: Bind): string =>
  `tupleElement(arrayFirst(one -> one.1 = ${bind('String', name)},
    JSONExtract(facts, 'contexts', 'flags', 'values', 'Array(Tuple(flag String, result String))')), 2)`;
