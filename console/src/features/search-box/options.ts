/** What the list under the search box offers at a place of the query. Pure. */
import {
  type Completion,
  type DataSet,
  functionsOf,
  keysOf,
  keyText,
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
  /** `In the last 14 days` */
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
  const { kind, key, replace, prefix } = completion;
  const asked = query.slice(0, replace.start);
  if (kind === 'key') {
    const place: NamePlace = /(?:^|[\s(!])has:$/i.test(asked)
      ? 'has'
      : /[a-z]\w*\([^()\s"]*$/.test(asked)
        ? 'argument'
        : query[replace.end] === ':'
          ? 'renamed'
          : 'begun';
    return keyOptions(prefix, query, dataSet, sources, place).slice(0, most);
  }
  const values = key ? valueOptions(key, prefix, /:[^\s"]*\[[^\]]*$/.test(asked), /[<>=]$/.test(asked), sources) : [];
  return [...values, ...(kind === 'operator' ? comparisonOptions(prefix) : [])].slice(0, most);
}

/** Where a name is written: after `has:`, in a call, before the colon that is there already, or at the start of a term. */
type NamePlace = 'has' | 'argument' | 'renamed' | 'begun';

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
  place: NamePlace,
): Option[] {
  const isName = place === 'has' || place === 'argument';
  const keys = keysOf(dataSet).filter((key) => key.place.kind !== 'nowhere');
  const known = new Map(keys.map((key) => [key.name, key]));
  const option = (section: string, name: string, detail: string, note: string): Option => ({
    id: `${section} ${name}`,
    section,
    label: name,
    detail,
    note,
    text:
      place === 'has'
        ? valueText(name)
        : `${place === 'argument' ? name : keyText(name)}${place === 'begun' ? ':' : ''}`,
    gives: place === 'has' ? 'term' : 'more',
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

function valueOptions(
  key: SearchKey,
  prefix: string,
  isElement: boolean,
  isCompared: boolean,
  sources: OptionSources,
): Option[] {
  const option = (value: string, detail = '', note = '', section = 'Values'): Option => ({
    id: `value ${value}`,
    section,
    label: value,
    detail,
    note,
    text: isElement ? elementText(value) : valueText(value),
    gives: 'term',
  });
  const { place, type } = key;
  // After a comparison there is an amount, and no other comparison.
  const fixed = (key.values ?? [])
    .filter((value) => !isCompared || !/^[<>+-]/.test(value))
    .map((value) => option(value, type === 'date' ? dateWords(value) : ''));
  switch (type) {
    case 'choice':
      return rankOf(fixed, prefix, valueMatches);
    case 'boolean':
      return rankOf([option('true'), option('false')], prefix, valueMatches);
    case 'date':
      return rankOf([...fixed, ...dateOptions(sources.now, isCompared, option)], prefix, valueMatches);
    case 'number':
    case 'rate':
    case 'duration':
    case 'size':
    case 'percentage':
      return [...rankOf(fixed, prefix, valueMatches), ...unitOptions(type, prefix, option)];
    default:
  }
  if (place.kind === 'project' && place.by === 'name') {
    const projects = sources.projects.map(({ slug, name }) => option(slug, slug === name ? '' : name));
    return rankOf(projects, prefix, valueMatches);
  }
  // Of what only issues have, the data says nothing; a first release is a release.
  const values = place.kind === 'issue' && place.field !== 'first_release' ? [] : sources.values;
  const taken = new Set(key.values);
  const sampled = values.some((one) => one.sampled);
  const heading = `${sources.rangeWords}${sampled ? ', from a sample' : ''}`;
  const found = values
    .filter(({ value }) => !taken.has(value))
    .map(({ value, count }) => option(value, '', compactNumber(count), heading));
  // Known values with their counts where the data has them.
  const counts = new Map(values.map(({ value, count }) => [value, compactNumber(count)]));
  const counted = fixed.map((each) => ({ ...each, note: counts.get(each.label) ?? '' }));
  return [...rankOf(counted, prefix, valueMatches), ...rankOf(found, prefix, valueMatches)];
}

const units: Readonly<Partial<Record<KeyType, readonly (readonly [unit: string, words: string])[]>>> = {
  duration: [
    ['ms', 'milliseconds'],
    ['s', 'seconds'],
    ['m', 'minutes'],
    ['h', 'hours'],
  ],
  size: [
    ['b', 'bytes'],
    ['kb', 'kilobytes'],
    ['mb', 'megabytes'],
  ],
  percentage: [['%', 'percent']],
};

/** A number that was begun, with the units it may have. */
function unitOptions(type: KeyType, prefix: string, option: (value: string, detail: string) => Option): Option[] {
  if (!/^\d{1,12}(?:\.\d{1,6})?$/.test(prefix)) return [];
  return units[type]?.map(([unit, words]) => option(`${prefix}${unit}`, words)) ?? [];
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

function dateOptions(now: Date, isCompared: boolean, option: (value: string, detail: string) => Option): Option[] {
  const today = now.toISOString().slice(0, 10);
  if (isCompared) return [option(today, 'today (UTC)')];
  return [
    option(today, 'on this day (UTC)'),
    option(`>=${today}`, 'since this day'),
    option(`<${today}`, 'before this day'),
  ];
}

const valueMatches = (each: Option): readonly Match[] => [{ text: each.label, weight: 1 }];

/** A value as a term needs it written. */
const valueText = (value: string): string =>
  // Comparisons and ages are offered as such.
  /^(?:[<>]=?[\w.:+-]*|[+-]\d+[mhdw])$/.test(value) ? value : termText('k', value).slice(2);

/** The same within a list, where commas and brackets end it. */
function elementText(value: string): string {
  const text = valueText(value);
  return !text.startsWith('"') && /[,[\]]/.test(text) ? `"${text}"` : text;
}
