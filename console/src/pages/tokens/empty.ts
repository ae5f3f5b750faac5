import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/tokens.ts';
import { AddIcon, TokenIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'nothing-yet',
  icon: TokenIcon,
  title: m.empty,
  hint: m.emptyHint,
  action: { label: m.newToken, icon: AddIcon },
};
