/** In the place of an issue or its event. */
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/issue-missing.ts';

export const notFound: EmptyRecord<{ readonly id: string }> = {
  kind: 'not-found',
  isPage: true,
  title: m.notFound,
  hint: m.notFoundHint,
  action: { label: m.goToIssues, to: '/issues' },
};

const recommended = {
  label: m.showRecommended,
  to: '.',
  search: (before: object) => ({ ...before, event: undefined, q: undefined }),
} as const;

export const noEventMatches: EmptyRecord = {
  kind: 'no-match',
  title: m.noEventMatches,
  hint: m.noEventMatchesHint,
  action: recommended,
};

export const eventDeleted: EmptyRecord = {
  kind: 'not-found',
  title: m.eventDeleted,
  hint: m.eventDeletedHint,
  action: recommended,
};
