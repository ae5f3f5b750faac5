/** Why a list of the issue has no row. */
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/issue-lists.ts';
import { SharedIcon } from '../../ui/icons.ts';

const action = {
  label: m.clearFilter,
  to: '.',
  search: (before: object) => ({ ...before, q: undefined, cursor: undefined }),
} as const;

export const noEventMatches: EmptyRecord = { kind: 'no-match', title: m.noEventMatches, action };
export const noEvents: EmptyRecord = { kind: 'not-found', title: m.noEvents, hint: m.noEventsHint };
export const noUserMatches: EmptyRecord = { kind: 'no-match', title: m.noUserMatches, hint: m.noUsersHint, action };
export const noUsers: EmptyRecord = { kind: 'nothing-yet', icon: SharedIcon, title: m.noUsers, hint: m.noUsersHint };
