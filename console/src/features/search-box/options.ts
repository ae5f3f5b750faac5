/** The options under the search box at a position of the query. Pure. */
import {
  type Completion,
  type DataSet,
  functionsOf,
  keysOf,
  keyText,
  type KeyType,
  type SearchKey,
} from '@culprit/search';
import * as m from '../../messages/search-box.ts';
import * as words from '../../messages/search-fields.ts';
import { functions } from '../../messages/search-functions.ts';
import { compactNumber } from '../../ui/numbers.ts';
import type { Option, OptionSources } from './option.ts';
import { keyMatches, rankOf } from './rank.ts';
import { comparisonOptions, valueOptions, valueText } from './value-options.ts';

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
    const place = placeOf(asked, query[replace.end] === ':');
    return keyOptions(prefix, query, dataSet, sources, place).slice(0, most);
  }
  const around = { isElement: asked.lastIndexOf('[') > asked.lastIndexOf(']'), isCompared: /[<>=]$/.test(asked) };
  const values = key ? valueOptions(key, prefix, around, sources) : [];
  return [...values, ...(kind === 'operator' ? comparisonOptions(prefix) : [])].slice(0, most);
}

/** Where a name is written: after `has:`, in a call, before a colon, or at the start of a term. */
type NamePlace = 'has' | 'argument' | 'renamed' | 'start';

function placeOf(asked: string, hasColon: boolean): NamePlace {
  if (/(?:^|[\s(!])has:$/i.test(asked.slice(-5))) return 'has';
  const call = asked.lastIndexOf('(');
  if (/\w/.test(asked[call - 1] ?? '') && !/[\s)"]/.test(asked.slice(call))) return 'argument';
  return hasColon ? 'renamed' : 'start';
}

/** Worth offering before anything is typed. */
const firstKeys: Readonly<Record<DataSet, readonly string[]>> = {
  issues: ['is', 'level', 'release', 'environment', 'error.type', 'transaction', 'user.email', 'stack.filename', 'age'],
  events: ['level', 'release', 'environment', 'error.type', 'transaction', 'user.email', 'stack.filename'],
  spans: ['span.op', 'transaction', 'span.duration', 'span.description', 'span.status', 'is_transaction', 'service'],
};

const wordOf = (type: KeyType): string => m.types[type];

type Words = Readonly<Record<string, string>>;

function fieldWords(name: string, dataSet: DataSet): string {
  const own: Words = dataSet === 'spans' ? words.spans : words.issues;
  const both: Words = words.both;
  return own[name] ?? both[name] ?? '';
}

const functionWords = (name: string): string => (functions as Words)[name] ?? '';

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
        : `${place === 'argument' ? name : keyText(name)}${place === 'start' ? ':' : ''}`,
    gives: place === 'has' ? 'term' : 'more',
  });
  const ofKey = (section: string, { name, type }: SearchKey): Option =>
    option(section, name, fieldWords(name, dataSet), wordOf(type));
  const tags = fields
    .filter(({ kind }) => kind === 'tag' || kind === 'measurement')
    .map(({ key, kind, totalValues }) =>
      option(
        kind === 'tag' ? m.sections.tags : m.sections.measurements,
        key,
        '',
        totalValues ? compactNumber(totalValues) : '',
      ),
    );
  const functions: Option[] =
    dataSet === 'issues' || isName
      ? []
      : functionsOf(dataSet).map(({ name, parameters }) => ({
          ...option(m.sections.aggregates, `${name}(${parameters.length ? '…' : ''})`, functionWords(name), ''),
          text: parameters.length ? `${name}(` : `${name}():`,
        }));
  const hasKey = option(m.sections.fields, 'has', m.hasDetail, m.field);

  if (prefix !== '') {
    const rows = keys.filter(({ scope }) => !isName || scope === 'row').map((key) => ofKey(m.sections.fields, key));
    return rankOf([...rows, ...(isName ? [] : [hasKey]), ...tags, ...functions], prefix, keyMatches);
  }
  const first = firstKeys[dataSet].flatMap((name) => known.get(name) ?? []);
  const rest = keys.filter((key) => !first.includes(key));
  const past: Option[] =
    query.trim() === ''
      ? [
          ...saved.slice(0, 5).map((one) => ({
            ...wholeQuery(m.sections.saved, one.query),
            id: `saved ${one.id}`,
            label: one.name,
            detail: one.query,
          })),
          ...recent.slice(0, 5).map((text) => wholeQuery(m.sections.recent, text)),
        ]
      : [];
  return [
    ...past,
    ...first.filter(({ scope }) => !isName || scope === 'row').map((key) => ofKey(m.sections.fields, key)),
    ...(isName ? [] : [hasKey]),
    ...tags.slice(0, 15),
    ...functions,
    ...(query.trim() === '' || isName ? [] : combining),
    ...rest.filter(({ scope }) => !isName || scope === 'row').map((key) => ofKey(m.sections.moreFields, key)),
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
  { id: 'or', section: m.sections.combine, label: 'OR', detail: m.orDetail, note: '', text: 'OR ', gives: 'more' },
  {
    id: 'group',
    section: m.sections.combine,
    label: '(',
    detail: m.groupDetail,
    note: '',
    text: '(',
    gives: 'more',
  },
];
