/** Search terms about events as conditions on the errors table. Every value is a bound parameter. */
import type { EventColumn, SearchKey } from './keys.ts';
import type { SearchTerm, SearchValue } from './types.ts';
import { dateSpan } from './values.ts';

export interface EventFilter {
  /** Joined by AND; each is one bracketed condition of ClickHouse SQL. Empty: every event. */
  readonly conditions: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** What words without a key look at. */
const textColumns: readonly EventColumn[] = ['title', 'message', 'error_value', 'culprit'];
const userColumns: Readonly<Record<string, EventColumn>> = {
  id: 'user_id',
  email: 'user_email',
  username: 'user_username',
  ip: 'user_ip',
};

export const isEventTerm = (term: SearchTerm): boolean =>
  term.kind === 'text' ? term.text !== '' : term.key.place !== 'issue' && term.key.place !== 'project';

/** Terms about issues are passed over. `nowMs` is what relative times count from. */
export function compileEventFilter(terms: readonly SearchTerm[], nowMs: number): EventFilter {
  const params: Record<string, unknown> = {};
  const bind = (type: string, value: unknown): string => {
    const name = `search${Object.keys(params).length}`;
    params[name] = value;
    return `{${name}:${type}}`;
  };
  const conditions = terms.filter(isEventTerm).map((term) => {
    if (term.kind === 'text') return containsText(term.text, bind);
    const condition = term.kind === 'has' ? has(term.key, bind) : filter(term.key, term.value, nowMs, bind);
    return term.negated ? `(NOT ${condition})` : condition;
  });
  return { conditions, params };
}

type Bind = (type: string, value: unknown) => string;

const either = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`;

/** The key as an expression that gives text, '' where absent. */
function textExpression(key: SearchKey, bind: Bind): string {
  switch (key.place) {
    case 'column':
      return key.column;
    case 'handled-tag':
      return "multiIf(isNull(handled), '', handled = 1, 'yes', 'no')";
    case 'tag':
      return `tags[${bind('String', key.tag)}]`;
    case 'user':
      return 'user';
    case 'text':
      return 'title';
    default:
      throw new TypeError(`a key of type ${key.place} is no text`);
  }
}

function has(key: SearchKey, bind: Bind): string {
  if (key.place === 'timestamp') return '(1)';
  if (key.place === 'handled') return '(isNotNull(handled))';
  return `(${textExpression(key, bind)} != '')`;
}

function filter(key: SearchKey, value: SearchValue, nowMs: number, bind: Bind): string {
  switch (value.type) {
    case 'text':
      if (key.place === 'text') return contains(value, bind);
      if (key.place === 'user') return user(value, bind);
      return textMatches(textExpression(key, bind), spelled(key, value), bind);
    case 'list':
      return oneOf(key, value.values, bind);
    case 'boolean': {
      const wanted = key.place === 'handled' && value.value ? key.value : key.place === 'handled' ? 1 - key.value : 0;
      return `(ifNull(handled = ${wanted}, 0))`;
    }
    case 'date':
    case 'age': {
      const { fromMs, untilMs } = dateSpan(value, nowMs);
      return `(${[
        ...(Number.isFinite(fromMs) ? [`timestamp >= fromUnixTimestamp64Milli(${bind('Int64', fromMs)}, 'UTC')`] : []),
        ...(Number.isFinite(untilMs) ? [`timestamp < fromUnixTimestamp64Milli(${bind('Int64', untilMs)}, 'UTC')`] : []),
      ].join(' AND ')})`;
    }
    default:
      throw new TypeError(`no event key has a value of type ${value.type}`);
  }
}

type TextValue = Extract<SearchValue, { type: 'text' }>;

const unescaped = (text: string): string => text.replaceAll('\\*', '*');

function spell(key: SearchKey, text: string): string {
  if (key.place !== 'column' || !key.format) return text;
  return key.format === 'id' ? text.replaceAll('-', '').toLowerCase() : text.replace(/@.*$/s, '');
}

const spelled = (key: SearchKey, value: TextValue): TextValue => ({ ...value, text: spell(key, value.text) });

/** A LIKE pattern; runs of stars are one, all else stands for itself. */
function likePattern(text: string): string {
  let pattern = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\' && text[at + 1] === '*') {
      pattern += '*';
      at += 1;
    } else if (character === '*') {
      if (!pattern.endsWith('%') || pattern.endsWith('\\%')) pattern += '%';
    } else {
      pattern += /[%_\\]/.test(character) ? `\\${character}` : character;
    }
  }
  return pattern;
}

function textMatches(expression: string, value: TextValue, bind: Bind): string {
  if (!value.wildcard) return `(${expression} = ${bind('String', unescaped(value.text))})`;
  const pattern = likePattern(value.text);
  return pattern === '%' ? `(${expression} != '')` : `(${expression} LIKE ${bind('String', pattern)})`;
}

function oneOf(key: SearchKey, values: readonly string[], bind: Bind): string {
  if (key.place === 'text') return either(values.map((text) => containsText(text, bind)));
  if (key.place === 'user') {
    return either(values.map((text) => user({ type: 'text', text, quoted: true, wildcard: false }, bind)));
  }
  const list = values.map((text) => spell(key, unescaped(text)));
  return `(${textExpression(key, bind)} IN ${bind('Array(String)', list)})`;
}

/** ASCII can be searched ignoring case several times faster than all of Unicode. */
const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

function containsText(text: string, bind: Bind): string {
  const needle = bind('String', text);
  const position = isAscii(text) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
  return either(textColumns.map((column) => `${position}(${column}, ${needle}) > 0`));
}

function contains(value: TextValue, bind: Bind): string {
  if (value.text === '') return "(message = '' AND error_value = '')";
  if (!value.wildcard) return containsText(unescaped(value.text), bind);
  const pattern = bind('String', likePattern(`*${value.text}*`));
  return either(textColumns.map((column) => `${column} ILIKE ${pattern}`));
}

function user(value: TextValue, bind: Bind): string {
  const [, field, rest] = /^(id|email|username|ip):(.*)$/s.exec(value.text) ?? [];
  const named = field && userColumns[field];
  if (named) return textMatches(named, { ...value, text: rest ?? '' }, bind);
  if (value.text === '') return "(user = '')";
  return either(Object.values(userColumns).map((column) => textMatches(column, value, bind)));
}
