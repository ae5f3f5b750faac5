import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/shared-issue.ts';
import { UnlinkIcon } from '../../ui/icons.ts';

/** Whoever has the link may have no account: there is no page to lead to. */
export const notShared: EmptyRecord = {
  kind: 'not-found',
  icon: UnlinkIcon,
  isPage: true,
  title: m.gone,
  hint: m.goneHint,
};

/** The organisation has turned them off. */
export const linksOff: EmptyRecord = {
  kind: 'not-found',
  icon: UnlinkIcon,
  isPage: true,
  title: m.paused,
  hint: m.pausedHint,
};
