/** Why there is no queue. */
import { withoutFiltersInLongestRange } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/queues.ts';

export const noQueues: EmptyRecord = {
  kind: 'no-match',
  title: m.none,
  hint: m.noneHint,
  action: { label: m.showLongest, to: '.', search: withoutFiltersInLongestRange },
};
