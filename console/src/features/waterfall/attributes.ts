/** Attributes of a span in groups, with what their values mean. */
import * as m from '../../messages/waterfall.ts';
import { duration } from '../../ui/durations.ts';
import { byteSize, exactNumber } from '../../ui/numbers.ts';

export interface Attribute {
  readonly key: string;
  /** As it was sent. */
  readonly value: string;
  /** With its unit, where that is another text. */
  readonly shown: string | undefined;
}

export interface AttributeGroup {
  readonly name: string;
  /** The keys name it, not we. */
  readonly isData: boolean;
  readonly attributes: readonly Attribute[];
}

/** Those that say what the span did come first. */
const firstGroups = [
  'http',
  'url',
  'db',
  'rpc',
  'messaging',
  'gen_ai',
  'cache',
  'browser',
  'code',
  'error',
  'exception',
];
const titles: Readonly<Record<string, string>> = m.attributeGroups;
const vitalMs = new Set(['lcp', 'fcp', 'ttfb', 'inp', 'fid', 'fp', 'ttfb.requesttime']);

/** Keys and values that contain the text; all for an empty one. Groups of one stand together as `Other`. */
export function groupAttributes(
  texts: Readonly<Record<string, string>>,
  numbers: Readonly<Record<string, number>>,
  search = '',
): AttributeGroup[] {
  const wanted = search.trim().toLowerCase();
  const all: Attribute[] = [
    ...Object.entries(texts).map(([key, value]) => ({ key, value, shown: undefined })),
    ...Object.entries(numbers).map(([key, value]) => ({ key, value: String(value), shown: quantity(key, value) })),
  ].filter(({ key, value }) => `${key} ${value}`.toLowerCase().includes(wanted));
  const byName = Map.groupBy(all, ({ key }) => /^[a-z_]+(?=\.)/i.exec(key)?.[0] ?? '');
  const groups: { name: string; attributes: Attribute[] }[] = [];
  const rest: Attribute[] = [];
  for (const [name, attributes] of byName) {
    if (name === '' || attributes.length === 1) rest.push(...attributes);
    else groups.push({ name, attributes });
  }
  const rank = (name: string): number =>
    (firstGroups.indexOf(name) + firstGroups.length + 1) % (firstGroups.length + 1);
  groups.sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
  if (rest.length) groups.push({ name: '', attributes: rest });
  const byKey = (a: Attribute, b: Attribute): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  return groups.map(({ name, attributes }) => ({ ...titleOf(name), attributes: attributes.toSorted(byKey) }));
}

/** The first `most` attributes of all groups together. */
export function cutGroups(groups: readonly AttributeGroup[], most: number): AttributeGroup[] {
  const cut: AttributeGroup[] = [];
  let left = most;
  for (const group of groups) {
    if (left <= 0) break;
    cut.push({ ...group, attributes: group.attributes.slice(0, left) });
    left -= group.attributes.length;
  }
  return cut;
}

function titleOf(name: string): Pick<AttributeGroup, 'name' | 'isData'> {
  if (name === '') return { name: m.otherAttributes, isData: false };
  const known = Object.hasOwn(titles, name) ? titles[name] : undefined;
  return known === undefined
    ? { name: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '), isData: true }
    : { name: known, isData: false };
}

function quantity(key: string, value: number): string | undefined {
  const name = key.toLowerCase();
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (vitalMs.has(last) || /(?:_|\b)(?:ms|millis)$/.test(last)) return duration(value * 1000);
  if (/(?:^|_)(?:size|bytes|content_length|transfer_size)$/.test(last))
    return Number.isInteger(value) && value >= 0 ? byteSize(value) : undefined;
  if (/^(?:seconds|.*_seconds)$/.test(last)) return duration(value * 1_000_000);
  const exact = exactNumber(value);
  // A status is no quantity.
  return /status|code|port|pid|id$/.test(last) || exact === String(value) ? undefined : exact;
}
