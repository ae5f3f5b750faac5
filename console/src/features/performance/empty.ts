/** Before the first spans: errors arrive without tracing, these do not. */
import * as m from '../../messages/performance.ts';
import { PerformanceIcon } from '../../ui/icons.ts';
import type { EmptyRecord } from '../places/empty.ts';

interface Values {
  readonly kind: keyof typeof m.noneYet;
}

/** Before the first project. */
export const noSpans: EmptyRecord<Values> = {
  kind: 'not-set-up',
  icon: PerformanceIcon,
  title: ({ kind }) => m.noneYet[kind],
  hint: m.noneYetHint,
  action: { label: m.createProject, to: '/projects/new' },
};

/** Of a project, which has a page for it. */
export const noSpansOf: EmptyRecord<Values & { readonly project: string; readonly slug: string }> = {
  ...noSpans,
  action: { label: m.showSetup, to: '/projects/$slug/setup' },
};
