/** Before the first event. */
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/now.ts';

export const waiting: EmptyRecord<{ readonly slug: string }> = {
  kind: 'not-set-up',
  title: m.waiting,
  hint: m.waitingHint,
  action: { label: m.setup, to: '/projects/$slug/setup' },
};

export const noProject: EmptyRecord = {
  kind: 'not-set-up',
  title: m.waiting,
  hint: m.waitingHint,
  action: { label: m.createProject, to: '/projects/new' },
};
