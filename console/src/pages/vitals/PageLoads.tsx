import { Link } from '@tanstack/react-router';
import { tracePlace } from '../../features/performance/links.ts';
import type { VitalCauses } from '../../features/performance/queries.ts';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import { formatVital, vitalFacts, vitalNames, vitalRating } from '../../features/performance/vitals.ts';
import * as m from '../../messages/vitals.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './VitalsPage.module.css';

const each = 3;

/** A few page loads for each vital, into their traces. */
export function PageLoads({ samples }: Pick<VitalCauses, 'samples'>) {
  return (
    <DataTable
      label={m.samples}
      boxed
      dense
      head={
        <>
          <HeadCell>{m.columns.vital}</HeadCell>
          <HeadCell number>{m.columns.value}</HeadCell>
          <HeadCell>{m.columns.rating}</HeadCell>
          <HeadCell main>{m.columns.trace}</HeadCell>
          <HeadCell hide="narrow">{m.columns.browser}</HeadCell>
          <HeadCell hide="narrow">{m.columns.release}</HeadCell>
          <HeadCell number>{m.columns.started}</HeadCell>
        </>
      }
    >
      {vitalNames.flatMap((vital) =>
        samples
          .filter((sample) => sample.vital === vital)
          .slice(0, each)
          .map((sample, index) => (
            <tr key={`${vital} ${sample.traceId} ${sample.spanId}`}>
              <Cell>{index === 0 && <strong>{vitalFacts[vital].short}</strong>}</Cell>
              <Cell number>{formatVital(vital, sample.value)}</Cell>
              <Cell>
                <RatingMark rating={vitalRating(vital, sample.value)} />
              </Cell>
              <RowHead>
                <Link to="/traces/$trace" {...tracePlace(sample)}>
                  <code>{sample.traceId.slice(0, 8)}</code>
                </Link>
              </RowHead>
              <Cell hide="narrow">
                <span className={styles.browser} translate="no">
                  {sample.browser || '–'}
                </span>
              </Cell>
              <Cell hide="narrow">
                <code>{sample.release}</code>
              </Cell>
              <Cell number>
                <Time at={sample.startUs / 1000} />
              </Cell>
            </tr>
          )),
      )}
    </DataTable>
  );
}
