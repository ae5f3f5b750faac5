import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/my-account.ts';
import { AccountIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'nothing-yet',
  icon: AccountIcon,
  title: m.noSessions,
  hint: m.noSessionsHint,
};
