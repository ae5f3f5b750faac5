import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { vitalsQuery, type Vital } from '../../features/performance/queries.ts';
import { RatingBar } from '../../features/performance/RatingBar.tsx';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { formatVital, vitalFacts, vitalRating } from '../../features/performance/vitals.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Panel } from '../../ui/Panel.tsx';
import styles from './TransactionPage.module.css';

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
      title="Web vitals"
      id="vitals"
      tools={
        <Link to="/performance/vitals" search={{ of: project, page: transaction }}>
          What makes them
        </Link>
      }
    >
      <ul>
        {group.vitals.map((vital) => (
          <VitalRow key={vital.vital} vital={vital} />
        ))}
      </ul>
    </Panel>
  );
}

function VitalRow({ vital: { vital, p75, ...counts } }: { readonly vital: Vital }) {
  return (
    <li className={styles.vital}>
      <abbr title={vitalFacts[vital].name}>{vitalFacts[vital].short}</abbr>
      <b>{formatVital(vital, p75)}</b>
      <RatingMark rating={vitalRating(vital, p75)} />
      <RatingBar counts={counts} words={false} />
    </li>
  );
}
