/** Published search queries and what they mean: how ours reads each, in the words of the cases. */
import { type KeyType, type ParseOptions, parseSearch, type SearchItem, type SearchValue } from '@culprit/search';
import { z } from 'zod';

const names = z.array(z.string()).optional();
const config = z.object({
  disallowWildcard: z.boolean().optional(),
  disallowFreeText: z.boolean().optional(),
  disallowNegation: z.boolean().optional(),
  disallowedLogicalOperators: z.array(z.string()).optional(),
  validateKeys: z.boolean().optional(),
  supportedTags: z.record(z.string(), z.unknown()).optional(),
  textOperatorKeys: names,
  numericKeys: names,
  durationKeys: names,
  percentageKeys: names,
  sizeKeys: names,
  dateKeys: names,
  booleanKeys: names,
});
const term = z.record(z.string(), z.unknown());
const file = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      query: z.string(),
      config: config.optional(),
      expected: z.union([
        z.object({ error: z.string(), at: z.string().optional() }),
        z.object({ terms: z.array(term) }),
      ]),
    }),
  ),
});

export interface SearchVerdict {
  readonly id: string;
  readonly passed: boolean;
  /** What was read instead. */
  readonly why?: string;
}

const keyTypes: readonly (readonly [keyof z.output<typeof config>, KeyType])[] = [
  ['numericKeys', 'number'],
  ['durationKeys', 'duration'],
  ['percentageKeys', 'percentage'],
  ['sizeKeys', 'size'],
  ['dateKeys', 'date'],
  ['booleanKeys', 'boolean'],
];

function optionsOf(options: z.output<typeof config> = {}): ParseOptions {
  const operators = options.disallowedLogicalOperators?.map((one) => one.toUpperCase()) ?? [];
  const types = keyTypes.flatMap(([list, type]) => {
    const keys = options[list];
    return Array.isArray(keys) ? keys.map((key) => [key, type] as const) : [];
  });
  return {
    // The cases know one set of keys for everything.
    anyDataSet: true,
    disallowWildcard: options.disallowWildcard === true,
    disallowFreeText: options.disallowFreeText === true,
    disallowNegation: options.disallowNegation === true,
    disallowedLogicalOperators: (['AND', 'OR'] as const).filter((one) => operators.includes(one)),
    ...(options.validateKeys && options.supportedTags && { allowedKeys: Object.keys(options.supportedTags) }),
    keyTypes: Object.fromEntries(types),
    orderedKeys: options.textOperatorKeys ?? [],
  };
}

type Words = Record<string, unknown>;

const iso = (ms: number): string => new Date(ms).toISOString();

function inWords(value: SearchValue): Words {
  switch (value.type) {
    case 'text':
      return { kind: 'text', value: value.text, quoted: value.quoted };
    case 'version':
      return { kind: 'text', value: value.text, op: value.comparison };
    case 'list':
      return { kind: 'text_list', value: value.values };
    case 'numbers':
      return { kind: 'number_list', value: value.values };
    case 'number':
      return { kind: 'number', value: value.number, op: value.comparison };
    case 'boolean':
      return { kind: 'boolean', value: value.value };
    case 'duration':
    case 'size':
    case 'percentage': {
      const { type, amount, unit, comparison: op } = value;
      return unit ? { kind: type, value: { amount, unit }, op } : { kind: 'number', value: amount, op };
    }
    case 'age':
      return { kind: 'date_relative', value: { amount: value.amount, sign: value.sign, unit: value.unit } };
    case 'date': {
      const { comparison: op, fromMs, untilMs } = value;
      const at = op === '>' ? fromMs - 1 : op === '<' ? untilMs : op === '<=' ? untilMs - 1 : fromMs;
      return op ? { kind: 'date', value: iso(at), op } : { kind: 'date_exact', value: iso(at) };
    }
  }
}

function described(item: SearchItem): Words {
  switch (item.kind) {
    case 'group':
      return { group: item.items.map(described) };
    case 'operator':
      return { bool: item.operator.toUpperCase() };
    case 'text':
      return { free: item.text, quoted: item.quoted };
    case 'has':
      return { key: 'has', kind: 'has', value: item.name, not: item.negated };
    case 'filter': {
      const { kind, ...words } = inWords(item.value);
      return { key: item.name, kind: item.name === 'is' ? 'is' : kind, ...words, not: item.negated };
    }
  }
}

/** What may be left out or written in two ways, in one. */
function normalized(words: Words): Words {
  if (Array.isArray(words['group'])) return { group: words['group'].map((one) => normalized(one as Words)) };
  if (!('key' in words)) return words;
  const { op, not, quoted, key, value, error: _error, ...rest } = words;
  // A percentage may be given with its sign or without.
  const unit = asUnit(rest['kind'] === 'percentage' && typeof value === 'number' ? { amount: value } : value);
  return {
    ...rest,
    key: String(key).replaceAll(' ', ''),
    value: unit,
    op: op === undefined || op === '!=' ? '=' : op,
    not: (not === true) !== (op === '!='),
    quoted: quoted === true,
  };
}

/** Amounts with the unit in lower case, in one order of members. */
function asUnit(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { amount, unit = '%', sign } = value as Words;
  return { amount, unit: String(unit).toLowerCase(), ...(sign !== undefined && { sign }) };
}

const sorted = (words: Words): unknown =>
  Array.isArray(words['group'])
    ? { group: words['group'].map((one) => sorted(one as Words)) }
    : Object.fromEntries(Object.entries(words).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const text = (terms: readonly Words[]): string => JSON.stringify(terms.map((one) => sorted(normalized(one))));

function judge({ id, query, config: options, expected }: z.output<typeof file>['cases'][number]): SearchVerdict {
  const { items, problems } = parseSearch(query, 'issues', optionsOf(options));
  const found = problems.map(({ code, at }) => `${code} at ${at}`).join(', ');
  if ('error' in expected) {
    const { error, at } = expected;
    const passed = problems.some((problem) => problem.code === error && (at === undefined || problem.at === at));
    return passed ? { id, passed } : { id, passed, why: `${found || text(items.map(described))} instead of ${error}` };
  }
  if (found) return { id, passed: false, why: found };
  const [read, wanted] = [text(items.map(described)), text(expected.terms)];
  return read === wanted ? { id, passed: true } : { id, passed: false, why: `${read} instead of ${wanted}` };
}

/** `json` is a parsed file of cases. */
export const runSearchCases = (json: unknown): SearchVerdict[] => file.parse(json).cases.map(judge);
