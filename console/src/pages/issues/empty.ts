/** Why the list of issues has none. */
import type { ReactNode } from 'react';
import { withoutFilters } from '../../features/filters/widen.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/issues.ts';
import { OkIcon, ProjectIcon } from '../../ui/icons.ts';

export const noProject: EmptyRecord = {
  kind: 'not-set-up',
  icon: ProjectIcon,
  title: m.noProject,
  hint: m.noProjectHint,
  action: { label: m.createProject, to: '/projects/new' },
};

export const nothingSent: EmptyRecord<{ readonly project: string; readonly slug: string }> = {
  kind: 'not-set-up',
  title: m.nothingSent,
  hint: m.nothingSentHint,
  action: { label: m.setup, to: '/projects/$slug/setup' },
};

export const onlySpans: EmptyRecord<{ readonly slug: string }> = {
  kind: 'nothing-yet',
  icon: OkIcon,
  title: m.onlySpans,
  hint: m.onlySpansHint,
  action: { label: m.setupErrors, to: '/projects/$slug/setup' },
};

const clear = { label: m.clearFilters, to: '.', search: withoutFilters } as const;

export const noMatch: EmptyRecord = { kind: 'no-match', title: m.noMatch, action: clear };

export const noMatchQuery: EmptyRecord<{ readonly query: ReactNode }> = {
  kind: 'no-match',
  title: m.noMatchQuery,
  action: clear,
};

type Health = { readonly status: keyof typeof m.none; readonly outcome: ReactNode };

export const allWell: EmptyRecord<Health> = {
  kind: 'all-well',
  title: ({ status }) => m.none[status],
  hint: ({ outcome }) => outcome,
};

export const degraded: EmptyRecord<Health> = { ...allWell, action: { label: m.openHealth, to: '/health' } };

export const refused: EmptyRecord = { kind: 'not-valid', title: m.refused, hint: m.refusedHint };
