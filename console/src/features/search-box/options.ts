/** What the list under the search box offers at a place of the query. Pure. */
import {
  type Completion,
  type DataSet,
  functionsOf,
  keysOf,
  type KeyType,
  type SearchKey,
  termText,
} from '@culprit/search';
import { compactNumber } from '../../ui/numbers.ts';
import { keyMatches, type Match, rankOf } from './rank.ts';

export interface Option {
  /** Unique in the list. */
  readonly id: string;
  /** Heading under which it stands. */
  readonly section: string;
  readonly label: string;
  /** In words, beside the label. */
  readonly detail: string;
  /** At the end of the line: a type, a count. */
  readonly note: string;
  /** Takes the place of what is completed; of a `query`, of everything. */
  readonly text: string;
  /** `more`: a value follows. `term`: the term is finished. `query`: a whole search, to be run. */
  readonly gives: 'more' | 'term' | 'query';
}

export interface OptionSources {
  readonly fields: readonly {
    readonly key: string;
    readonly kind: string;
    readonly type: string;
    readonly totalValues: number | null;
  }[];
  readonly values: readonly { readonly value: string; readonly count: number; readonly sampled: boolean }[];
  readonly projects: readonly { readonly slug: string; readonly name: string }[];
  readonly recent: readonly string[];
  readonly saved: readonly { readonly id: string; readonly name: string; readonly query: string }[];
  /** `in the last 14 days` */
  readonly rangeWords: string;
  readonly now: Date;
}

const most = 60;

export function optionsFor(
  completion: Completion,
  query: string,
  dataSet: DataSet,
  sources: OptionSources,
): readonly Option[] {
  const asked = query.slice(0, completion.replace.start);
  const isName = /(?:^|[\s(!])has:"?$/i.test(asked);
  const all =
    completion.kind === 'key' || isName || !completion.key
      ? keyOptions(completion.prefix, query, dataSet, sources, isName)
      : valueOptions(completion.key, completion, sources);
  return all.slice(0, most);
}

/** Worth offering before anything is typed. */
const firstKeys: Readonly<Record<DataSet, readonly string[]>> = {
  issues: ['is', 'level', 'release', 'environment', 'error.type', 'transaction', 'user.email', 'stack.filename', 'age'],
  events: ['level', 'release', 'environment', 'error.type', 'transaction', 'user.email', 'stack.filename'],
  spans: ['span.op', 'transaction', 'span.duration', 'span.description', 'span.status', 'is_transaction', 'service'],
};

const typeWords: Readonly<Record<KeyType, string>> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  rate: 'number',
  duration: 'duration',
  size: 'size',
  percentage: 'percent',
  date: 'date',
  boolean: 'yes or no',
  version: 'version',
  choice: 'choice',
};

const wordOf = (type: string): string => (type in typeWords ? typeWords[type as KeyType] : type);

function keyOptions(
  prefix: string,
  query: string,
  dataSet: DataSet,
  { fields, recent, saved }: OptionSources,
  isName: boolean,
): Option[] {
  const keys = keysOf(dataSet).filter(({ place }) => place.kind !== 'nowhere');
  const known = new Map(keys.map((key) => [key.name, key]));
  const option = (section: string, name: string, detail: string, note: string): Option => ({
    id: `${section} ${name}`,
    section,
    label: name,
    detail,
    note,
    text: isName ? valueText(name) : `${keyText(name)}:`,
    gives: isName ? 'term' : 'more',
  });
  const ofKey = (section: string, { name, description, type }: SearchKey): Option =>
    option(section, name, description, wordOf(type));
  const tags = fields
    .filter(({ kind }) => kind === 'tag' || kind === 'measurement')
    .map(({ key, kind, totalValues }) =>
      option(kind === 'tag' ? 'Tags' : 'Measurements', key, '', totalValues ? compactNumber(totalValues) : ''),
    );
  const functions: Option[] =
    dataSet === 'issues' || isName
      ? []
      : functionsOf(dataSet).map(({ name, description, parameters }) => ({
          ...option('Aggregates', `${name}(${parameters.length ? '…' : ''})`, description, ''),
          text: parameters.length ? `${name}(` : `${name}():`,
        }));
  const hasKey = option('Fields', 'has', 'Where a field or tag is present', 'field');

  if (prefix !== '') {
    const rows = keys.filter(({ scope }) => !isName || scope === 'row').map((key) => ofKey('Fields', key));
    return rankOf([...rows, ...(isName ? [] : [hasKey]), ...tags, ...functions], prefix, keyMatches);
  }
  const first = firstKeys[dataSet].flatMap((name) => known.get(name) ?? []);
  const rest = keys.filter((key) => !first.includes(key));
  const past: Option[] =
    query.trim() === ''
      ? [
          ...saved.slice(0, 5).map((one) => ({
            ...wholeQuery('Saved searches', one.query),
            id: `saved ${one.id}`,
            label: one.name,
            detail: one.query,
          })),
          ...recent.slice(0, 5).map((text) => wholeQuery('Recent searches', text)),
        ]
      : [];
  return [
    ...past,
    ...first.filter(({ scope }) => !isName || scope === 'row').map((key) => ofKey('Fields', key)),
    ...(isName ? [] : [hasKey]),
    ...tags.slice(0, 15),
    ...functions,
    ...(query.trim() === '' || isName ? [] : combining),
    ...rest.filter(({ scope }) => !isName || scope === 'row').map((key) => ofKey('More fields', key)),
  ];
}

const wholeQuery = (section: string, text: string): Option => ({
  id: `${section} ${text}`,
  section,
  label: text,
  detail: '',
  note: '',
  text,
  gives: 'query',
});

const combining: readonly Option[] = [
  { id: 'or', section: 'Combine', label: 'OR', detail: 'One side or the other', note: '', text: 'OR ', gives: 'more' },
  {
    id: 'group',
    section: 'Combine',
    label: '(',
    detail: 'Terms that belong together',
    note: '',
    text: '(',
    gives: 'more',
  },
];

const comparisons: readonly (readonly [text: string, detail: string])[] = [
  ['>', 'more than'],
  ['>=', 'at least'],
  ['<', 'less than'],
  ['<=', 'at most'],
];

function valueOptions(key: SearchKey, { prefix, kind }: Completion, sources: OptionSources): Option[] {
  const option = (value: string, detail = '', note = '', section = 'Values'): Option => ({
    id: `value ${value}`,
    section,
    label: value,
    detail,
    note,
    text: valueText(value),
    gives: 'term',
  });
  const { place, type } = key;
  const fixed = (key.values ?? []).map((value) => option(value, type === 'date' ? dateWords(value) : ''));
  if (kind === 'operator') return comparisonOptions(prefix);
  switch (type) {
    case 'choice':
      return rankOf(fixed, prefix, valueMatches);
    case 'boolean':
      return rankOf([option('true'), option('false')], prefix, valueMatches);
    case 'date':
      return rankOf([...fixed, ...dateOptions(sources.now, option)], prefix, valueMatches);
    case 'number':
    case 'integer':
    case 'rate':
    case 'duration':
    case 'size':
    case 'percentage':
      return [...rankOf(fixed, prefix, valueMatches), ...(prefix === '' ? comparisonOptions('') : [])];
    default:
  }
  if (place.kind === 'project' && place.by === 'name')
    return rankOf(
      sources.projects.map(({ slug, name }) => option(slug, slug === name ? '' : name)),
      prefix,
      valueMatches,
    );
  const taken = new Set(key.values);
  const sampled = sources.values.some((one) => one.sampled);
  const heading = `${sources.rangeWords}${sampled ? ', from a sample' : ''}`;
  const found = sources.values
    .filter(({ value }) => !taken.has(value))
    .map(({ value, count }) => option(value, '', compactNumber(count), heading));
  // Known values with their counts where the data has them.
  const counts = new Map(sources.values.map(({ value, count }) => [value, count]));
  const counted = fixed.map((each) => ({
    ...each,
    note: counts.has(each.label) ? compactNumber(counts.get(each.label) ?? 0) : '',
  }));
  return [...rankOf(counted, prefix, valueMatches), ...rankOf(found, prefix, valueMatches)];
}

const comparisonOptions = (prefix: string): Option[] =>
  comparisons
    .filter(([text]) => text.startsWith(prefix))
    .map(([text, detail]) => ({ id: text, section: 'Compare', label: text, detail, note: '', text, gives: 'more' }));

const unitWords: Readonly<Record<string, string>> = { m: 'minutes', h: 'hours', d: 'days', w: 'weeks' };

/** `-24h`: in the last 24 hours. */
function dateWords(value: string): string {
  const [, sign, amount, unit = ''] = /^([+-])(\d+)([mhdw])$/.exec(value) ?? [];
  if (!sign) return '';
  const words = amount === '1' ? (unitWords[unit] ?? '').slice(0, -1) : `${amount} ${unitWords[unit]}`;
  return sign === '-' ? `in the last ${words}` : `more than ${amount === '1' ? `a ${words}` : words} ago`;
}

function dateOptions(now: Date, option: (value: string, detail: string) => Option): Option[] {
  const today = now.toISOString().slice(0, 10);
  return [option(today, 'today (UTC)'), option(`>=${today}`, 'since a day'), option(`<${today}`, 'before a day')];
}

const valueMatches = (each: Option): readonly Match[] => [{ text: each.label, weight: 1 }];

/** A value as a term needs it written, and a key likewise. */
const valueText = (value: string): string =>
  // Comparisons, dates and patterns that are offered as such.
  /^(?:[<>]=?[\w.:+-]*|[+-]\d+[mhdw])$/.test(value) ? value : termText('k', value).slice(2);

const keyText = (key: string): string => termText(key, 'v').slice(0, -2);
