/** Why the list of feedback has none. */
import type { FeedbackSearch } from '../../features/feedback/queries.ts';
import { lasting } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/feedback-page.ts';
import { FeedbackIcon } from '../../ui/icons.ts';

export const noMatch: EmptyRecord = {
  kind: 'no-match',
  title: m.noMatch,
  action: {
    label: m.showAll,
    to: '/feedback',
    search: ({ status }: FeedbackSearch) =>
      chosen({ status }, { project: undefined, environment: undefined, ...lasting() }),
  },
};

export const noSpam: EmptyRecord = { kind: 'all-well', icon: FeedbackIcon, title: m.noSpam };
export const noResolved: EmptyRecord = { kind: 'nothing-yet', icon: FeedbackIcon, title: m.noResolved };
export const noOpen: EmptyRecord = { kind: 'nothing-yet', icon: FeedbackIcon, title: m.noOpen, hint: m.noOpenHint };
