/** The vitals of a page, a browser or a device as cells of a table. */
import type { VitalsGroup } from '../../features/performance/queries.ts';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import { formatVital, vitalFacts, vitalNames, vitalRating } from '../../features/performance/vitals.ts';
import * as m from '../../messages/vitals.ts';
import { Cell, HeadCell, type LeftOut } from '../../ui/DataTable.tsx';

interface Props {
  /** The first of them may stay where there is less room. */
  readonly hide: (vital: (typeof vitalNames)[number]) => LeftOut | undefined;
}

export const VitalHeads = ({ hide }: Props) =>
  vitalNames.map((vital) => (
    <HeadCell key={vital} number hide={hide(vital)}>
      <abbr title={vitalFacts[vital].name}>{vitalFacts[vital].short}</abbr>
    </HeadCell>
  ));

export const VitalCells = ({ vitals, hide }: Props & { readonly vitals: VitalsGroup['vitals'] }) =>
  vitalNames.map((vital) => {
    const found = vitals.find((each) => each.vital === vital);
    return (
      <Cell key={vital} number hide={hide(vital)}>
        {found ? (
          <span data-tip={found.score === null ? m.notInScore : undefined}>
            {formatVital(vital, found.p75)} <RatingMark rating={vitalRating(vital, found.p75)} short />
          </span>
        ) : (
          '–'
        )}
      </Cell>
    );
  });
