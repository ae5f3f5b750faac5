/** Why the audit log shows no entries. */
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/audit.ts';

export const none: EmptyRecord = { kind: 'nothing-yet', title: m.emptyTitle, hint: m.emptyHint };

export const noMatch: EmptyRecord = {
  kind: 'no-match',
  title: m.noMatchTitle,
  hint: m.noMatchHint,
  action: { label: m.clear },
};
