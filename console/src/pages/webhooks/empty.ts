import type { EmptyRecord } from '../../features/places/empty.ts';
import * as incoming from '../../messages/incoming-webhooks.ts';
import * as m from '../../messages/webhooks.ts';
import { AddIcon, SettingsIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'nothing-yet',
  icon: SettingsIcon,
  title: m.emptyTitle,
  hint: m.emptyHint,
  action: { label: m.add, icon: AddIcon },
};

export const noneIncoming: EmptyRecord = {
  kind: 'nothing-yet',
  icon: SettingsIcon,
  title: incoming.emptyTitle,
  hint: incoming.emptyHint,
  action: { label: incoming.add, icon: AddIcon },
};
