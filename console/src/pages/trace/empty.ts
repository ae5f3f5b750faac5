import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/trace.ts';

interface Values {
  readonly id: string;
}

export const notFound: EmptyRecord<Values> = {
  kind: 'not-found',
  isPage: true,
  title: m.notFound,
  action: { label: m.findId, to: '/find', search: (_, { id }) => ({ q: id }) },
};
