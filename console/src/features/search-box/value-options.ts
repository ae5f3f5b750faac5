/** The options where a value is written: values that the field allows and the data has, dates, comparisons. Pure. */
import { type KeyType, type SearchKey, termText } from '@culprit/search';
import * as m from '../../messages/search-box.ts';
import { compactNumber } from '../../ui/numbers.ts';
import type { Option, OptionSources } from './option.ts';
import { type Match, rankOf } from './rank.ts';

/** `isElement`: of a list. `isCompared`: behind a comparison, after which there is an amount. */
export function valueOptions(
  key: SearchKey,
  prefix: string,
  { isElement, isCompared }: { readonly isElement: boolean; readonly isCompared: boolean },
  sources: OptionSources,
): Option[] {
  const option = (value: string, detail = '', note = '', section = m.sections.values): Option => ({
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
  const heading = sampled ? m.sampled({ range: sources.rangeWords }) : sources.rangeWords;
  const found = values
    .filter(({ value }) => !taken.has(value))
    .map(({ value, count }) => option(value, '', compactNumber(count), heading));
  // Known values with their counts where the data has them.
  const counts = new Map(values.map(({ value, count }) => [value, compactNumber(count)]));
  const counted = fixed.map((each) => ({ ...each, note: counts.get(each.label) ?? '' }));
  return [...rankOf(counted, prefix, valueMatches), ...rankOf(found, prefix, valueMatches)];
}

const units: Readonly<Partial<Record<KeyType, readonly (keyof typeof m.units)[]>>> = {
  duration: ['ms', 's', 'm', 'h'],
  size: ['b', 'kb', 'mb'],
  percentage: ['%'],
};

/** A number with the units that it may have. */
function unitOptions(type: KeyType, prefix: string, option: (value: string, detail: string) => Option): Option[] {
  if (!/^\d{1,12}(?:\.\d{1,6})?$/.test(prefix)) return [];
  return units[type]?.map((unit) => option(`${prefix}${unit}`, m.units[unit])) ?? [];
}

export const comparisonOptions = (prefix: string): Option[] =>
  Object.entries(m.comparisons)
    .filter(([text]) => text.startsWith(prefix))
    .map(([text, detail]) => ({
      id: text,
      section: m.sections.compare,
      label: text,
      detail,
      note: '',
      text,
      gives: 'more',
    }));

const isUnit = (unit: string): unit is keyof typeof m.within => Object.hasOwn(m.within, unit);

/** `-24h`: in the last 24 hours. */
function dateWords(value: string): string {
  const [, sign, amount, unit = ''] = /^([+-])(\d+)([mhdw])$/.exec(value) ?? [];
  return isUnit(unit) ? (sign === '-' ? m.within : m.ago)[unit]({ count: Number(amount) }) : '';
}

function dateOptions(now: Date, isCompared: boolean, option: (value: string, detail: string) => Option): Option[] {
  const today = now.toISOString().slice(0, 10);
  if (isCompared) return [option(today, m.today)];
  return [option(today, m.onThisDay), option(`>=${today}`, m.sinceThisDay), option(`<${today}`, m.beforeThisDay)];
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
