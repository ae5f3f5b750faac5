/** Why there is nothing to compare, or no difference. */
import type { DataSet } from '../../features/explore/data-sets.ts';
import { withoutSelection } from '../../features/explore/question.ts';
import type { EmptyRecord } from '../../features/places/empty.ts';
import * as m from '../../messages/explore-compare.ts';
import { CompareIcon } from '../../ui/icons.ts';

export const nothingSelected: EmptyRecord = {
  kind: 'nothing-yet',
  icon: CompareIcon,
  title: m.compareTitle,
  hint: m.compareHint,
};

export const emptySelection: EmptyRecord<{ readonly dataSet: DataSet }> = {
  kind: 'no-match',
  title: ({ dataSet }) => m.noneSelected[dataSet],
  hint: m.selectOther,
  action: { label: m.clearSelection, to: '.', search: withoutSelection },
};

const same = { kind: 'all-well', icon: CompareIcon, title: m.noDifferences } as const;

export const allSelected: EmptyRecord = { ...same, hint: m.allSelected };
export const sameValues: EmptyRecord = { ...same, hint: m.sameValues };
