import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/repositories.ts';
import { AddIcon, MappingIcon, RepositoryIcon } from '../../ui/icons.ts';

export const none: EmptyRecord = {
  kind: 'nothing-yet',
  icon: RepositoryIcon,
  title: m.empty,
  hint: m.emptyHint,
  action: { label: m.add, icon: AddIcon },
};

export const noMapping: EmptyRecord = {
  kind: 'nothing-yet',
  icon: MappingIcon,
  title: m.mappingsEmpty,
  hint: m.mappingsEmptyHint,
  action: { label: m.addMapping, icon: AddIcon },
};

/** A mapping names a repository. */
export const noMappingWithoutRepository: EmptyRecord = {
  kind: 'nothing-yet',
  icon: MappingIcon,
  title: m.mappingsEmpty,
  hint: m.mappingsEmptyFirst,
};
