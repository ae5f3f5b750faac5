/** What Explore is asked, read from the address, and how a click changes it. Pure. */
import { between } from '../filters/filters.ts';
import { chosen } from '../filters/travel.ts';
import { dataSets, type DataSet } from './data-sets.ts';
import { joinList, readCall, splitList } from './lists.ts';
import type { ExploreSearch } from './search.ts';

export const maxAxes = 4;
export const maxGroups = 6;
export const maxFields = 12;
const countAxis = 'count()';
/** Order of the samples where none is chosen. */
export const newestFirst = '-timestamp';

export interface Question {
  readonly dataSet: DataSet;
  readonly query: string;
  readonly groups: readonly string[];
  readonly axes: readonly string[];
  /** Columns of the samples. */
  readonly fields: readonly string[];
  /** Of the aggregates: one of their columns, with `-` for the greatest first. */
  readonly sort: string;
  readonly samplesSort: string;
}

export function questionOf(search: ExploreSearch): Question {
  const dataSet = search.dataset ?? 'errors';
  const groups = splitList(search.groupBy, maxGroups);
  const axes = splitList(search.yAxis, maxAxes);
  const shown = axes.length ? axes : [countAxis];
  const chosenFields = splitList(search.field, maxFields);
  const fields = chosenFields.length ? chosenFields : dataSets[dataSet].fields;
  const column = search.sort?.replace(/^-/, '') ?? '';
  return {
    dataSet,
    query: search.query ?? '',
    groups,
    axes: shown,
    fields,
    sort: [...groups, ...shown].includes(column) ? (search.sort ?? '') : `-${shown[0] ?? countAxis}`,
    samplesSort: search.tab === 'samples' && fields.includes(column) ? (search.sort ?? '') : newestFirst,
  };
}

/** Another question is asked from its first page on. */
const fresh = { cursor: undefined } as const;

/** Rows of another kind have other columns: what only the old kind knows is let go. */
export function withDataSet(search: ExploreSearch, dataSet: DataSet): ExploreSearch {
  const { project, environment, range, start, end, tab } = search;
  const kept = dataSets[search.dataset ?? 'errors'].keys === dataSets[dataSet].keys ? search : {};
  return {
    ...kept,
    project,
    environment,
    range,
    start,
    end,
    tab,
    ...fresh,
    field: undefined,
    dataset: dataSet === 'errors' ? undefined : dataSet,
  };
}

export function withAxes(search: ExploreSearch, axes: readonly string[]): ExploreSearch {
  const only = axes.length === 1 && axes[0] === countAxis;
  return { ...search, ...fresh, yAxis: only ? undefined : joinList(axes.slice(0, maxAxes)) };
}

export function withGroups(search: ExploreSearch, groups: readonly string[]): ExploreSearch {
  return { ...search, ...fresh, groupBy: joinList(groups.slice(0, maxGroups)) };
}

/** Columns of the samples. */
export function withFields(search: ExploreSearch, fields: readonly string[]): ExploreSearch {
  return { ...search, ...fresh, field: joinList(fields.slice(0, maxFields)) };
}

/** Adds an attribute to those that rows are grouped by, and shows the groups. */
export function groupedBy(search: ExploreSearch, key: string): ExploreSearch {
  const groups = splitList(search.groupBy, maxGroups);
  const next = groups.includes(key) ? groups : [...groups.slice(0, maxGroups - 1), key];
  return { ...withGroups(search, next), tab: undefined };
}

/** The same column again turns the order round. */
export function withSort(search: ExploreSearch, column: string, current: string): ExploreSearch {
  const next = current === `-${column}` ? column : `-${column}`;
  return { ...search, ...fresh, sort: next };
}

export function withQuery(search: ExploreSearch, query: string): ExploreSearch {
  return { ...search, ...fresh, query: query.trim() || undefined };
}

export interface Span {
  /** Seconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

export function selectionOf({ selection }: ExploreSearch): Span | undefined {
  const [from = 0, until = 0] = selection?.split('-').map(Number) ?? [];
  return until > from ? { from, until } : undefined;
}

/** Marks a part of the time, ms, and says what differs there. */
export function withSelection(search: ExploreSearch, startMs: number, endMs: number): ExploreSearch {
  const [from, until] = [Math.floor(startMs / 1000), Math.ceil(endMs / 1000)];
  return { ...search, ...fresh, tab: 'compare', subset: undefined, selection: `${from}-${until}` };
}

/** Says what those differ in that fulfil a further term. */
export function withSubset(search: ExploreSearch, term: string): ExploreSearch {
  return { ...search, ...fresh, tab: 'compare', selection: undefined, subset: term };
}

export function withoutSelection(search: ExploreSearch): ExploreSearch {
  return {
    ...search,
    ...fresh,
    selection: undefined,
    subset: undefined,
    tab: search.tab === 'compare' ? undefined : search.tab,
  };
}

/** The chosen part becomes the range of the page. */
export function zoomed(search: ExploreSearch, { from, until }: Span): ExploreSearch {
  return chosen(withoutSelection(search), between(from * 1000, until * 1000));
}

/** What a saved query keeps: the question and its range, not where in the answer one was. */
export function savedPart(search: ExploreSearch): ExploreSearch {
  const { cursor: _cursor, selection: _selection, subset: _subset, saved: _saved, ...kept } = search;
  return { ...kept, tab: kept.tab === 'compare' ? undefined : kept.tab };
}

/** `p95 of span.duration`, `count`; what is no call stays as it is. */
export function axisLabel(axis: string): string {
  const call = readCall(axis);
  if (!call) return axis;
  return call.args.length ? `${call.name}(${call.args.join(', ')})` : call.name.replaceAll('_', ' ');
}
