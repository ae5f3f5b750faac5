/** What the page asks, as parameters of the API, as a question that is saved or exported, and back. Pure. */
import { verbatim } from '../../ui/verbatim.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter } from '../filters/parameters.ts';
import { shellWord } from '../shell-quote.ts';
import type { DataSet } from './data-sets.ts';
import { dataSetNames } from './data-sets.ts';
import { joinList } from './lists.ts';
import { newestFirst, questionOf, savedPart } from './question.ts';
import { exploreSearch, type ExploreSearch } from './search.ts';

/** Where none is chosen. */
export const exploreRange = '24h';

export const rangeOf = ({ range, start, end }: Filters): { statsPeriod?: string; start?: string; end?: string } =>
  start && end ? { start, end } : { statsPeriod: range ?? exploreRange };

export interface Asked {
  readonly dataset: DataSet;
  readonly query: string;
  readonly statsPeriod?: string;
  readonly start?: string;
  readonly end?: string;
  readonly project?: string[];
  readonly environment?: string[];
}

/** What rows are asked about, without which columns. */
export function askedOf(search: ExploreSearch): Asked {
  const { dataSet, query } = questionOf(search);
  return {
    dataset: dataSet,
    query,
    ...rangeOf(search),
    ...projectParameter(search),
    ...environmentParameter(search),
  };
}

/** The columns of the tab that is shown, and their order. */
export function columnsOf(search: ExploreSearch): { readonly field: string[]; readonly sort: string[] } {
  const { groups, axes, fields, sort, samplesSort } = questionOf(search);
  return search.tab === 'samples'
    ? // The newest first is the server's own order, for which it has a faster way.
      { field: [...fields], sort: samplesSort === newestFirst ? [] : [samplesSort] }
    : { field: [...groups, ...axes], sort: [sort] };
}

/** As an export and what is saved have it. */
export function questionBody(search: ExploreSearch) {
  const { groups, axes } = questionOf(search);
  return {
    project: [],
    environment: [],
    ...askedOf(search),
    ...columnsOf(search),
    groupBy: [...groups],
    yAxis: [...axes],
  };
}

/** The same with how it was shown. */
export function savedBody(search: ExploreSearch) {
  const kept = savedPart(search);
  return { ...questionBody(kept), view: { tab: kept.tab ?? null } };
}

export interface SavedBody {
  readonly dataset: string;
  readonly query: string;
  readonly field: readonly string[];
  readonly groupBy: readonly string[];
  readonly yAxis: readonly string[];
  readonly sort: readonly string[];
  readonly statsPeriod?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly project: readonly string[];
  readonly environment: readonly string[];
  readonly view?: Readonly<Record<string, unknown>> | undefined;
}

/** The address that asks what was saved. What makes no sense to this console is left out. */
export function searchOfSaved(saved: SavedBody, id: string): ExploreSearch {
  const dataset = dataSetNames.find((name) => name === saved.dataset) ?? 'errors';
  const isSamples = saved.view?.['tab'] === 'samples';
  const own = exploreSearch.parse({
    dataset,
    query: saved.query || undefined,
    groupBy: joinList(saved.groupBy),
    yAxis: saved.yAxis.length === 1 && saved.yAxis[0] === 'count()' ? undefined : joinList(saved.yAxis),
    field: isSamples ? joinList(saved.field) : undefined,
    sort: saved.sort[0],
    tab: isSamples ? 'samples' : undefined,
    saved: id,
  });
  return {
    ...own,
    ...(saved.project[0] !== undefined && { project: saved.project[0] }),
    ...(saved.environment[0] !== undefined && { environment: saved.environment[0] }),
    ...(saved.start && saved.end
      ? { start: saved.start, end: saved.end }
      : saved.statsPeriod && saved.statsPeriod !== exploreRange && { range: saved.statsPeriod }),
  };
}

/** Whether the address asks something else than what was saved. */
export function differsFrom(search: ExploreSearch, saved: SavedBody): boolean {
  const asked = (body: SavedBody): string =>
    JSON.stringify([
      body.dataset,
      body.query,
      body.groupBy,
      body.yAxis,
      body.sort,
      body.view?.['tab'] ?? null,
      body.view?.['tab'] === 'samples' ? body.field : [],
      body.start && body.end ? [body.start, body.end] : body.statsPeriod,
      body.project,
      body.environment,
    ]);
  return asked(savedBody(search)) !== asked(saved);
}

/** The same question for a terminal: `$CULPRIT_TOKEN` is a token of the reader's own. */
export function curlOf(search: ExploreSearch, org: string, origin: string): string {
  const { project, environment, ...asked } = askedOf(search);
  const { field, sort } = columnsOf(search);
  const parameters = new URLSearchParams();
  for (const name of field) parameters.append('field', name);
  for (const [name, value] of Object.entries(asked)) if (value) parameters.append(name, String(value));
  for (const slug of project ?? []) parameters.append('project', slug);
  for (const name of environment ?? []) parameters.append('environment', name);
  for (const column of sort) parameters.append('sort', column);
  const address = `${origin}/api/0/organizations/${encodeURIComponent(org)}/events/?${parameters.toString()}`;
  return verbatim`curl -H "Authorization: Bearer $CULPRIT_TOKEN" ${shellWord(address)}`;
}
