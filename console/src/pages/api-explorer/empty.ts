/** Why the explorer shows no operation. */
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/api-explorer.ts';
import { CommandIcon } from '../../ui/icons.ts';

export const noMatch: EmptyRecord = {
  kind: 'no-match',
  title: m.noMatchTitle,
  hint: m.noMatchHint,
  action: { label: m.clear },
};

export const unknown: EmptyRecord = {
  kind: 'not-found',
  title: m.unknownTitle,
  hint: m.unknownHint,
  action: { label: m.showAll },
};

export const noneChosen: EmptyRecord = {
  kind: 'nothing-yet',
  icon: CommandIcon,
  title: m.chooseTitle,
  hint: m.chooseHint,
};
