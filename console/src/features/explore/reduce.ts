/** What happens on the page of Explore, and the address that it leads to. Pure. */
import {
  groupedBy,
  questionOf,
  withAxes,
  withFields,
  withGroups,
  withQuery,
  withSelection,
  withSubset,
} from './question.ts';
import type { ExploreSearch } from './search.ts';
import { valueTerm, withTerm } from './terms.ts';

/** A value that was clicked. */
interface OfValue {
  readonly field: string;
  readonly value: unknown;
}

export type ExploreEvent =
  | { readonly type: 'searched'; readonly query: string }
  | { readonly type: 'aggregated'; readonly axes: readonly string[] }
  | { readonly type: 'grouped'; readonly groups: readonly string[] }
  | { readonly type: 'columned'; readonly fields: readonly string[] }
  /** Over a chart, ms. */
  | { readonly type: 'brushed'; readonly startMs: number; readonly endMs: number }
  | ({ readonly type: 'value-filtered'; readonly negated: boolean } & OfValue)
  | { readonly type: 'value-grouped'; readonly field: string }
  | ({ readonly type: 'value-compared' } & OfValue);

export function reduce(search: ExploreSearch, event: ExploreEvent): ExploreSearch {
  switch (event.type) {
    case 'searched':
      return withQuery(search, event.query);
    case 'aggregated':
      return withAxes(search, event.axes);
    case 'grouped':
      return withGroups(search, event.groups);
    case 'columned':
      return withFields(search, event.fields);
    case 'brushed':
      return withSelection(search, event.startMs, event.endMs);
    case 'value-filtered': {
      const { query, dataSet } = questionOf(search);
      return withQuery(search, withTerm(query, valueTerm(event.field, event.value, event.negated), dataSet));
    }
    case 'value-grouped':
      return groupedBy(search, event.field);
    case 'value-compared':
      return withSubset(search, valueTerm(event.field, event.value));
  }
}

/** What the page shows below the question. */
export type AnswerKind = 'bad-query' | 'nothing' | 'answer';

export const answerKind = (badQuery: unknown, count: number | undefined, isCountOld: boolean): AnswerKind =>
  badQuery === undefined ? (count === 0 && !isCountOld ? 'nothing' : 'answer') : 'bad-query';
