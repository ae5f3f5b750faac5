import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { vitalsQuery, type Vital } from '../../features/performance/queries.ts';
import { RatingBar } from '../../features/performance/RatingBar.tsx';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { formatVital, vitalFacts, vitalRating } from '../../features/performance/vitals.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/transaction.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from '../../features/performance/details.module.css';

/** Web vitals where this is a page; nothing where it is none. */
export function PageVitals({ search }: { readonly search: TransactionSearch }) {
  const { project, environment, range = '24h', start, end, transaction = '' } = search;
  const found = useQuery(
    vitalsQuery(useOrg(), { project, environment, range, start, end }, 'transaction', transaction),
  );
  const group = found.data?.[0];
  if (!group) return null;
  return (
    <Panel
      title={m.vitals}
      id="vitals"
      boxed={false}
      tools={
        <Link to="/performance/vitals" search={{ of: project, page: transaction }}>
          {m.vitalDetails}
        </Link>
      }
    >
      <DataList compact>
        {group.vitals.map((vital) => (
          <VitalRow key={vital.vital} vital={vital} />
        ))}
      </DataList>
    </Panel>
  );
}

export function VitalRow({ vital: { vital, p75, ...counts } }: { readonly vital: Vital }) {
  return (
    <DataRow
      title={
        <span className={styles.vital}>
          <Text>
            <abbr title={vitalFacts[vital].name}>{vitalFacts[vital].short}</abbr>
          </Text>
          <strong>{formatVital(vital, p75)}</strong>
          <RatingMark rating={vitalRating(vital, p75)} />
          <RatingBar counts={counts} words={false} />
        </span>
      }
    />
  );
}
