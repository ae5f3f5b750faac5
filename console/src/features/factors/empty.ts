import * as m from '../../messages/factors.ts';
import { TokenIcon } from '../../ui/icons.ts';
import type { EmptyRecord } from '../places/empty.ts';

export const noPasskeys: EmptyRecord = {
  kind: 'nothing-yet',
  icon: TokenIcon,
  title: m.noPasskeys,
  hint: m.noPasskeysHint,
};
