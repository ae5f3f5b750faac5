import type { ReactNode } from 'react';
import { inLongestRange } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/database-query.ts';

interface Values {
  readonly range: string;
  readonly name: ReactNode;
}

/** The filters leave no call of the query. */
export const notCalled: EmptyRecord<Values> = {
  kind: 'no-match',
  title: ({ range }) => m.notSeen({ range }),
  hint: ({ name }) => m.notSeenHint({ name }),
  action: { label: m.showLongest, to: '.', search: inLongestRange },
};
