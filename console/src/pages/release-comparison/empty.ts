import type { ReactNode } from 'react';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/release-comparison.ts';
import { CompareIcon } from '../../ui/icons.ts';

const action = { label: m.toReleases, to: '/releases' } as const;

/** A comparison needs two. */
export const tooFew: EmptyRecord = {
  kind: 'nothing-yet',
  icon: CompareIcon,
  title: m.emptyTitle,
  hint: m.emptyHint,
  action,
};

export const notFound: EmptyRecord<{ readonly reason: ReactNode }> = {
  kind: 'not-found',
  title: m.notFoundTitle,
  hint: ({ reason }) => reason,
  action,
};
