import type { EmptyRecord } from '../features/places/empty.ts';
import * as m from '../messages/app.ts';

/** Of an address that no route has. */
export const notFound: EmptyRecord = {
  kind: 'not-found',
  isPage: true,
  title: m.notFound,
  hint: m.notFoundHint,
  action: { label: m.goToIssues, to: '/issues' },
};
