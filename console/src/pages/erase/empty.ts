import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/erase.ts';
import { AddIcon, DeleteIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'nothing-yet',
  icon: DeleteIcon,
  title: m.emptyTitle,
  hint: m.emptyHint,
  action: { label: m.search, icon: AddIcon },
};
