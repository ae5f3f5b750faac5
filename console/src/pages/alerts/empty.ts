import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/alerts.ts';
import { AlertsIcon } from '../../ui/icons.ts';

/** Rules to begin with stand below. */
export const none: EmptyRecord = { kind: 'nothing-yet', icon: AlertsIcon, title: m.emptyTitle, hint: m.emptyHint };

export const noMatch: EmptyRecord = { kind: 'no-match', title: m.noMatch, action: { label: m.clearSearch } };

export const notFound: EmptyRecord = {
  kind: 'not-found',
  isPage: true,
  title: m.notFoundTitle,
  hint: m.notFoundHint,
  action: { label: m.allRules, to: '/alerts' },
};
