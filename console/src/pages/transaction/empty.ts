import type { ReactNode } from 'react';
import { inLongestTime } from '../../features/performance/links.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/transaction.ts';

interface Values {
  readonly range: string;
  readonly name: ReactNode;
  readonly op: ReactNode;
}

/** The filters leave nothing of the transaction. */
export const noneInRange: EmptyRecord<Values> = {
  kind: 'no-match',
  title: m.noneInRange,
  hint: ({ name, op }) => (op ? m.noneHintOp({ name, op }) : m.noneHint({ name })),
  action: { label: m.showLongest, to: '.', search: inLongestTime },
};
