/** Why the list of releases has none. */
import { withoutFilters } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/releases.ts';
import { ReleasesIcon } from '../../ui/icons.ts';

/** They arrive with events, or a build creates them. */
export const none: EmptyRecord = { kind: 'nothing-yet', icon: ReleasesIcon, title: m.emptyTitle, hint: m.emptyHint };

export const noMatch: EmptyRecord = {
  kind: 'no-match',
  title: m.noMatchTitle,
  hint: m.noMatchHint,
  action: { label: m.showAll, to: '.', search: withoutFilters },
};
