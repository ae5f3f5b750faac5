import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/projects.ts';
import { AddIcon, ProjectIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'not-set-up',
  icon: ProjectIcon,
  title: m.empty,
  hint: m.emptyHint,
  action: { label: m.newProject, icon: AddIcon, to: '/projects/new' },
};
