/** Which aggregates and attributes can be chosen without writing. Pure. */
import { functionsOf, keysOf, parseField, type FunctionKey, type SearchKey } from '@culprit/search';
import { functions } from '../../messages/search-functions.ts';
import { dataSets, type DataSet } from './data-sets.ts';
import { readCall, writeCall } from './lists.ts';

const descriptions: Readonly<Record<string, string>> = functions;

export interface AggregateChoice {
  readonly name: string;
  readonly description: string;
  /** What it is of: nothing, a number, or any attribute. */
  readonly takes: 'nothing' | 'number' | 'key';
}

/** Those that are whole with at most an attribute; others are written into the address. */
export function aggregateChoices(dataSet: DataSet): AggregateChoice[] {
  return functionsOf(dataSets[dataSet].keys).flatMap((each): AggregateChoice[] => {
    const takes = taken(each);
    return takes ? [{ name: each.name, description: descriptions[each.name] ?? '', takes }] : [];
  });
}

function taken({ parameters }: FunctionKey): AggregateChoice['takes'] | undefined {
  const [first, ...others] = parameters;
  if (others.some(({ fallback }) => fallback === undefined)) return undefined;
  if (!first || first.fallback === '') return 'nothing';
  if (first.takes === 'key') return 'key';
  if (first.takes === 'number' || first.takes === 'ordered') return 'number';
  return first.fallback === undefined ? undefined : 'nothing';
}

/** Whether a column can be drawn over time: only numbers can. What cannot be read is for the server to refuse. */
export function isDrawn(axis: string, dataSet: DataSet): boolean {
  const field = parseField(axis, dataSets[dataSet].keys);
  return 'code' in field || numberTypes.has(field.type);
}

const numberTypes: ReadonlySet<string> = new Set<SearchKey['type']>([
  'number',
  'integer',
  'duration',
  'size',
  'percentage',
  'rate',
]);

/** An attribute of the data set, from its table or from what was sent. */
export interface Attribute {
  readonly name: string;
  readonly isNumber: boolean;
}

/** Attributes by name, those of the table first; what was sent adds its own. */
export function attributesOf(
  dataSet: DataSet,
  sent: readonly { readonly key: string; readonly type: string }[],
): Attribute[] {
  const known = keysOf(dataSets[dataSet].keys)
    .filter(({ scope }) => scope === 'row')
    .map(({ name, type }) => ({ name, isNumber: numberTypes.has(type) }));
  const names = new Set(known.map(({ name }) => name));
  const further = sent.flatMap(({ key, type }) =>
    names.has(key) ? [] : [{ name: key, isNumber: numberTypes.has(type) }],
  );
  const byName = (a: Attribute, b: Attribute): number => (a.name < b.name ? -1 : 1);
  return [...known.toSorted(byName), ...further.toSorted(byName)];
}

/** What a further chart shows where nothing is chosen yet: the first of these that is not there. */
const usual: Readonly<Record<DataSet, readonly string[]>> = {
  errors: ['count()', 'count_unique(user)', 'epm()', 'count_unique(transaction)', 'last_seen()'],
  spans: ['count()', 'p95(span.duration)', 'failure_rate()', 'avg(span.duration)', 'sum(span.duration)'],
  transactions: ['count()', 'p95(span.duration)', 'failure_rate()', 'count_unique(user)', 'epm()'],
};

export const nextAxis = (dataSet: DataSet, axes: readonly string[]): string =>
  usual[dataSet].find((axis) => !axes.includes(axis)) ?? 'count()';

/** The call with another function: its attribute stays where it makes sense. */
export function withFunction(
  axis: string,
  choice: AggregateChoice,
  dataSet: DataSet,
  attributes: readonly Attribute[],
): string {
  if (choice.takes === 'nothing') return writeCall({ name: choice.name, args: [] });
  const before = readCall(axis)?.args[0];
  const fits = ({ isNumber }: Attribute): boolean => choice.takes === 'key' || isNumber;
  const kept = attributes.find((each) => each.name === before && fits(each))?.name;
  const first = choice.takes === 'key' ? dataSets[dataSet].groups.at(-1) : dataSets[dataSet].duration;
  return writeCall({ name: choice.name, args: [kept ?? first ?? attributes.find(fits)?.name ?? ''].filter(Boolean) });
}

/** The same function of another attribute; what stands after it stays. */
export function withAttribute(axis: string, attribute: string): string {
  const { name, args } = readCall(axis) ?? { name: axis, args: [] };
  return writeCall({ name, args: [attribute, ...args.slice(1)] });
}
