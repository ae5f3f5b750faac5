import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/teams.ts';
import { AddIcon, TeamsIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'nothing-yet',
  icon: TeamsIcon,
  title: m.empty,
  hint: m.emptyHint,
  action: { label: m.newTeam, icon: AddIcon },
};

/** For those who may not create one. */
export const noneForMembers: EmptyRecord = {
  kind: 'nothing-yet',
  icon: TeamsIcon,
  title: m.empty,
  hint: m.emptyHintMember,
};
