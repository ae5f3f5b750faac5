/** Why there are no web vitals, though some are stored. */
import { withoutFiltersInLongestRange } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/vitals.ts';

export const noneInRange: EmptyRecord<{ readonly range: string; readonly isNarrowed: boolean }> = {
  kind: 'no-match',
  title: m.noneInRange,
  hint: ({ isNarrowed }) => (isNarrowed ? m.earlierElsewhere : m.earlier),
  action: { label: m.showLongest, to: '.', search: withoutFiltersInLongestRange },
};
