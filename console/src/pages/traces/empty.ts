/** Why the list of traces has none, though traces are stored. */
import { inLongestRange, withoutFilters } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/traces.ts';

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
