import type { ReactNode } from 'react';
import { Change } from '../../features/performance/Change.tsx';
import type { Measures, TransactionDetails } from '../../features/performance/queries.ts';
import { apdex, changeOf, milliseconds, rate, share } from '../../features/performance/words.ts';
import { compactNumber, exactNumber, pluralForm } from '../../ui/numbers.ts';
import styles from './TransactionPage.module.css';

interface Fact {
  readonly label: string;
  readonly of: (measures: Measures) => number;
  readonly format: (value: number) => string;
  readonly good: 'up' | 'down' | 'none';
}

const facts: readonly Fact[] = [
  { label: 'Throughput', of: ({ perMinute }) => perMinute, format: rate, good: 'none' },
  { label: 'p50', of: ({ p50Ms }) => p50Ms, format: milliseconds, good: 'down' },
  { label: 'p75', of: ({ p75Ms }) => p75Ms, format: milliseconds, good: 'down' },
  { label: 'p95', of: ({ p95Ms }) => p95Ms, format: milliseconds, good: 'down' },
  { label: 'p99', of: ({ p99Ms }) => p99Ms, format: milliseconds, good: 'down' },
  { label: 'Failure rate', of: ({ failureRate }) => failureRate, format: share, good: 'down' },
  { label: 'Apdex', of: (measures) => measures.apdex, format: apdex, good: 'up' },
  { label: 'Users', of: ({ users }) => users, format: compactNumber, good: 'none' },
];

/** From here on a sample stands for more than itself. */
const leastSampling = 1.05;

/** What is measured of it, each beside the period before. */
export function Facts({ details }: { readonly details: TransactionDetails }) {
  const { transaction, sampledOneIn } = details;
  const { before, op, count } = transaction;
  return (
    <section aria-label="Numbers" className={styles.numbers}>
      <p className={styles.about}>
        <code>{op || 'no op'}</code> in {transaction.project.slug}, {exactNumber(count)}{' '}
        {pluralForm(count, 'transaction')}
        {sampledOneIn !== null && sampledOneIn >= leastSampling && sampling(sampledOneIn)}
      </p>
      <dl className={styles.facts}>
        {facts.map(({ label, of, format, good }) => (
          <Term key={label} label={label}>
            <span className={styles.big}>{format(of(transaction))}</span>
            <Change change={changeOf(of(transaction), before ? of(before) : undefined, good, format)} />
          </Term>
        ))}
      </dl>
    </section>
  );
}

const sampling = (oneIn: number): string => `, from a sample of 1 in ${exactNumber(Math.round(oneIn * 10) / 10)}`;

function Term({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
