/** Aggregates over rows: `count()`, `p95(span.duration)`, `count_if(level, equals, error)`. */
import { findElsewhere, findKey, isKnown, type KeyType, type SearchKey } from './keys.ts';
import { nearest } from './near.ts';
import { unquote } from './quotes.ts';
import { type Because, because } from './reasons.ts';
import { isComparable, readTyped } from './typed.ts';
import type { DataSet, ProblemCode, SearchProblem, SearchValue } from './types.ts';
import { literal } from './term-text.ts';
import { readNumber } from './values.ts';

export interface FunctionParameter {
  readonly name: string;
  /** `number`: a numeric key, `ordered`: a date as well, `key`: whatever it holds. `constant`: a number. `value`: to compare with. */
  readonly takes: 'key' | 'number' | 'ordered' | 'constant' | 'operator' | 'value';
  /** What is taken when it is left out; '' is nothing. Without a fallback it must be given. */
  readonly fallback?: string;
}

export interface FunctionKey {
  readonly name: string;
  readonly parameters: readonly FunctionParameter[];
  /** `argument`: as its first argument. */
  readonly type: KeyType | 'argument';
}

export const ifOperators = {
  equals: '=',
  notEquals: '!=',
  less: '<',
  lessOrEquals: '<=',
  greater: '>',
  greaterOrEquals: '>=',
} as const;

export type FunctionArgument =
  | { readonly kind: 'key'; readonly key: SearchKey }
  | { readonly kind: 'number'; readonly number: number }
  /** Of `count_if`: what the key's value must be. */
  | { readonly kind: 'comparison'; readonly negated: boolean; readonly value: SearchValue };

export type Unit = 'millisecond' | 'byte' | '1/second' | '1/minute' | null;

interface FieldBase {
  /** Canonical: `p95(span.duration)`. */
  readonly name: string;
  readonly type: KeyType;
  readonly unit: Unit;
}

export interface KeyField extends FieldBase {
  readonly kind: 'key';
  readonly key: SearchKey;
}

export interface FunctionField extends FieldBase {
  readonly kind: 'function';
  readonly scope: 'aggregate';
  readonly key: FunctionKey;
  readonly args: readonly FunctionArgument[];
}

/** A column of Explore. */
export type Field = KeyField | FunctionField;

type Row = readonly [name: string, type: FunctionKey['type'], parameters: readonly FunctionParameter[]];

const key: FunctionParameter = { name: 'key', takes: 'key' };
const number: FunctionParameter = { name: 'key', takes: 'number' };
const ordered: FunctionParameter = { name: 'key', takes: 'ordered' };
const constant = (name: string, fallback?: string): FunctionParameter => ({
  name,
  takes: 'constant',
  ...(fallback !== undefined && { fallback }),
});

const sharedRows: readonly Row[] = [
  ['count', 'integer', [{ ...key, fallback: '' }]],
  ['count_unique', 'integer', [key]],
  ['count_if', 'integer', [key, { name: 'operator', takes: 'operator' }, { name: 'value', takes: 'value' }]],
  ['sum', 'argument', [number]],
  ['avg', 'argument', [number]],
  ['min', 'argument', [ordered]],
  ['max', 'argument', [ordered]],
  ['percentile', 'argument', [number, constant('share')]],
  ['percentage', 'percentage', [number, { ...number, name: 'of' }]],
  ['any', 'argument', [key]],
  ['eps', 'rate', []],
  ['epm', 'rate', []],
  ['first_seen', 'date', []],
  ['last_seen', 'date', []],
];

const percentiles = (fallback: FunctionParameter): Row[] =>
  [50, 75, 90, 95, 99, 100].map((share) => [`p${share}`, 'argument', [fallback]]);

const spanRows: readonly Row[] = [
  ['failure_rate', 'percentage', []],
  ['failure_count', 'integer', []],
  ['apdex', 'number', [constant('ms', '300')]],
  ['tps', 'rate', []],
  ['tpm', 'rate', []],
  ['spm', 'rate', []],
];

const toFunctions = (rows: readonly Row[]): FunctionKey[] =>
  rows.map(([name, type, parameters]) => ({ name, type, parameters }));

const eventFunctions = toFunctions([...sharedRows, ...percentiles(number)]);
const spanFunctions = toFunctions([
  ...sharedRows,
  ...percentiles({ ...number, fallback: 'span.duration' }),
  ...spanRows,
]);

/** Issues have none: their counts are keys. */
export const functionsOf = (dataSet: DataSet): readonly FunctionKey[] =>
  dataSet === 'issues' ? [] : dataSet === 'spans' ? spanFunctions : eventFunctions;

const argument = String.raw`(?:"(?:[^"\\\t\n]|\\.){0,200}"|(?:\[[^\]\n]{0,200}\]|[^()[\]\t\n, "]){1,200})`;

/** A call: its name and what stands in the parentheses. */
export const callPattern = String.raw`([A-Za-z_][A-Za-z0-9_]{0,60})\( {0,9}((?:${argument}(?: {0,9}, {0,9}${argument}){0,4})?) {0,9}\)`;

const wholeCall = new RegExp(`^${callPattern}$`);
const wholeArgument = new RegExp(argument, 'g');

const numeric: ReadonlySet<KeyType> = new Set(['number', 'integer', 'rate', 'duration', 'size', 'percentage']);

export const isNumeric = (type: KeyType): boolean => numeric.has(type);

const unitOf = (type: KeyType, name: string): Unit => {
  if (type === 'duration') return 'millisecond';
  if (type === 'size') return 'byte';
  return type === 'rate' ? (name.endsWith('s') ? '1/second' : '1/minute') : null;
};

interface Refusal extends Because {
  readonly code: ProblemCode;
  readonly suggestions?: readonly string[];
}

const refuse = (code: ProblemCode, why: Because, suggestions?: readonly string[]): Refusal => ({
  code,
  ...why,
  ...(suggestions?.length && { suggestions }),
});

const allowed: Readonly<Record<'number' | 'ordered' | 'key', (type: KeyType) => boolean>> = {
  number: isNumeric,
  ordered: (type) => isNumeric(type) || type === 'date',
  key: () => true,
};

function readKey(name: string, takes: 'number' | 'ordered' | 'key', dataSet: DataSet): SearchKey | Refusal {
  if (findElsewhere(name, dataSet)) return refuse('invalid-key', because('notInDataSet', { name }));
  const found = findKey(name, dataSet);
  if (allowed[takes](found.type)) return found;
  // A tag or attribute that is asked for as a number is read as one.
  if (!isKnown(name, dataSet) && found.place.kind === 'tag') {
    return { ...found, type: 'number', place: { ...found.place, as: 'number' } };
  }
  return refuse('invalid-function', because('notNumber', { name }));
}

/** What `count_if` counts; ordering is for what has an order. */
function readComparison(of: FunctionArgument | undefined, operator: string, text: string): FunctionArgument | Refusal {
  const operators = Object.keys(ifOperators);
  if (!Object.hasOwn(ifOperators, operator)) {
    return refuse(
      'invalid-function',
      because('operatorUnknown', { operators: operators.join(', ') }),
      nearest(operator, operators),
    );
  }
  const sign = ifOperators[operator as keyof typeof ifOperators];
  const type = of?.kind === 'key' ? of.key.type : 'text';
  const ordering = sign !== '=' && sign !== '!=';
  const value =
    ordering && !isComparable(type) ? undefined : readTyped(type, literal(text), true, ordering ? sign : undefined);
  if (!value) return refuse('invalid-function', because('operatorUnfit', { operator, value: text.slice(0, 40) }));
  return { kind: 'comparison', negated: sign === '!=', value };
}

/** `max`: of its arguments. */
function tooMany(name: string, max: number): Because {
  if (max === 0) return because('noArguments', { function: name });
  if (max === 1) return because('oneArgument', { function: name });
  return because('tooManyArguments', { function: name, max: String(max) });
}

const argumentText = (text: string): string => (text.startsWith('"') ? unquote(text) : text);

/** The call `name(inside)`; undefined when there is no such function in the data set. */
export function readCall(name: string, inside: string, dataSet: DataSet): FunctionField | Refusal | undefined {
  const definition = functionsOf(dataSet).find((one) => one.name === name);
  if (!definition) return undefined;
  const written = inside.match(wholeArgument) ?? [];
  const { parameters } = definition;
  if (written.length > parameters.length) {
    return refuse('invalid-function', tooMany(name, parameters.length));
  }
  const texts = parameters.map(({ fallback }, index) =>
    written[index] === undefined ? fallback : argumentText(written[index]),
  );
  if (texts.includes(undefined)) {
    return refuse(
      'invalid-function',
      because('missingArguments', { function: name, names: parameters.map((one) => one.name).join(', ') }),
    );
  }
  const args: FunctionArgument[] = [];
  for (const [index, { name: what, takes }] of parameters.entries()) {
    const text = texts[index] ?? '';
    if (takes === 'operator' || (takes !== 'value' && text === '')) continue;
    if (takes === 'value') {
      const read = readComparison(args[0], texts[index - 1] ?? '', text);
      if ('code' in read) return read;
      args.push(read);
    } else if (takes === 'constant') {
      const number = readNumber(text);
      if (number === undefined)
        return refuse('invalid-function', because('constantNotNumber', { name: what, value: text }));
      args.push({ kind: 'number', number });
    } else {
      const read = readKey(text, takes, dataSet);
      if ('code' in read) return read;
      args.push({ kind: 'key', key: read });
    }
  }
  const share = name === 'percentile' ? args[1] : undefined;
  if (share?.kind === 'number' && !(share.number >= 0 && share.number <= 1)) {
    return refuse('invalid-function', because('percentileRange'));
  }
  const [first] = args;
  const type = definition.type !== 'argument' ? definition.type : first?.kind === 'key' ? first.key.type : 'number';
  return {
    kind: 'function',
    scope: 'aggregate',
    name: `${name}(${written.join(', ')})`,
    key: definition,
    args,
    // The mean of whole numbers is none.
    type: type === 'integer' && definition.type === 'argument' && /^(avg|p\d|perc)/.test(name) ? 'number' : type,
    unit: unitOf(type, name),
  };
}

const problemAt = (text: string, { suggestions, ...why }: Refusal): SearchProblem => ({
  ...why,
  at: text,
  start: 0,
  end: text.length,
  ...(suggestions && { suggestions }),
});

/** `level`, `tags[x]`, `count()`, `p95(span.duration)`; the problem's place is within the text. */
export function parseField(text: string, dataSet: DataSet): Field | SearchProblem {
  const [, name, inside = ''] = wholeCall.exec(text) ?? [];
  if (name !== undefined) {
    const call =
      readCall(name, inside, dataSet) ??
      refuse(
        'invalid-function',
        because('noFunction', { function: name }),
        nearest(name, functionNames(dataSet)).map((one) => `${one}()`),
      );
    return 'code' in call ? problemAt(text, call) : call;
  }
  if (!text.trim() || text.length > 200 || /[()\n]/.test(text)) {
    return problemAt(text, refuse('invalid-key', because('notField', { text: text.slice(0, 40) })));
  }
  const found = readKey(text, 'key', dataSet);
  if ('code' in found) return problemAt(text, found);
  return { kind: 'key', name: text, key: found, type: found.type, unit: unitOf(found.type, '') };
}

export const functionNames = (dataSet: DataSet): string[] => functionsOf(dataSet).map((one) => one.name);
