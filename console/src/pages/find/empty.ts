import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/find.ts';

export const nothingToSearch: EmptyRecord = {
  kind: 'not-valid',
  title: m.nothingToSearch,
  hint: m.nothingToSearchHint,
};
