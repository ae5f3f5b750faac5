/** Why there is no query. */
import { inLongestRange, withoutFilters } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/database-queries.ts';

export const noQueries: EmptyRecord = {
  kind: 'no-match',
  title: m.none,
  hint: m.noneHint,
  action: { label: m.showLongest, to: '.', search: inLongestRange },
};

export const noMatch: EmptyRecord = {
  kind: 'no-match',
  title: m.noMatch,
  action: { label: m.clearFilters, to: '.', search: withoutFilters },
};
