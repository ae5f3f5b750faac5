/** What is offered where a value is written: what the field can be, what the data has, dates, comparisons. Pure. */
import { type KeyType, type SearchKey, termText } from '@culprit/search';
import { compactNumber } from '../../ui/numbers.ts';
import type { Option, OptionSources } from './option.ts';
import { type Match, rankOf } from './rank.ts';

const comparisons: readonly (readonly [text: string, detail: string])[] = [
  ['>', 'more than'],
  ['>=', 'at least'],
  ['<', 'less than'],
  ['<=', 'at most'],
];

/** `isElement`: of a list. `isCompared`: behind a comparison, after which there is an amount. */
export function valueOptions(
  key: SearchKey,
  prefix: string,
  { isElement, isCompared }: { readonly isElement: boolean; readonly isCompared: boolean },
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

export const comparisonOptions = (prefix: string): Option[] =>
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
export const valueText = (value: string): string =>
  // Comparisons and ages are offered as such.
  /^(?:[<>]=?[\w.:+-]*|[+-]\d+[mhdw])$/.test(value) ? value : termText('k', value).slice(2);

/** The same within a list, where commas and brackets end it. */
function elementText(value: string): string {
  const text = valueText(value);
  return !text.startsWith('"') && /[,[\]]/.test(text) ? `"${text}"` : text;
}
