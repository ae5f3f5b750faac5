import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/channels.ts';
import { AddIcon, NotifyIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'nothing-yet',
  icon: NotifyIcon,
  title: m.emptyTitle,
  hint: m.emptyHint,
  action: { label: m.add, icon: AddIcon },
};
