import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/release.ts';

export const notFound: EmptyRecord<{ readonly version: string }> = {
  kind: 'not-found',
  isPage: true,
  title: m.notFoundTitle,
  hint: m.notFoundHint,
  action: { label: m.toReleases, to: '/releases' },
};
