/** Why the list of transactions has none, though transactions are stored. */
import { inLongestRange, withoutFilters } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/performance.ts';

export const noneInRange: EmptyRecord<{ readonly range: string }> = {
  kind: 'no-match',
  title: m.noneInRange,
  hint: m.earlier,
  action: { label: m.showLongest, to: '.', search: inLongestRange },
};

export const noMatch: EmptyRecord = {
  kind: 'no-match',
  title: m.noMatch,
  action: { label: m.clearFilters, to: '.', search: withoutFilters },
};
