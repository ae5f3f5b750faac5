/** Why there is no answer, or nothing in it. */
import type { DataSet } from '../../features/explore/data-sets.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { chosen } from '../../features/filters/travel.ts';
import { inLongestRange } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as e from '../../messages/explore-nothing.ts';
import * as m from '../../messages/explore.ts';
import { IssuesIcon } from '../../ui/icons.ts';

interface Values {
  readonly dataSet: DataSet;
}

export const badQuery: EmptyRecord = { kind: 'not-valid', title: m.badQueryTitle, hint: m.badQueryHint };

export const noErrors: EmptyRecord = {
  kind: 'not-set-up',
  icon: IssuesIcon,
  title: e.noErrorsTitle,
  hint: e.noErrorsHint,
  action: { label: e.showProjects, to: '/projects' },
};

export const noMatch: EmptyRecord<Values> = {
  kind: 'no-match',
  title: ({ dataSet }) => e.noMatch[dataSet],
  action: {
    label: e.clearFilters,
    to: '.',
    search: (before: ExploreSearch) => chosen({ ...before, query: undefined }, { environment: undefined }),
  },
};

export const noneInRange: EmptyRecord<Values & { readonly range: string }> = {
  kind: 'no-match',
  title: ({ dataSet, range }) => e.noneInTime[dataSet]({ range }),
  hint: e.earlierOnes,
  action: { label: e.showLongest, to: '.', search: inLongestRange },
};
