import { Change } from '../../features/performance/Change.tsx';
import type { Measures, TransactionDetails } from '../../features/performance/queries.ts';
import { apdex, changeOf, milliseconds, rate, share } from '../../features/performance/words.ts';
import { measures, noOperation } from '../../messages/performance.ts';
import * as m from '../../messages/transaction.ts';
import { Stat, Stats } from '../../ui/KeyValue.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { compactNumber, roundedNumber } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';

interface Figure {
  readonly label: string;
  readonly of: (measures: Measures) => number;
  readonly format: (value: number) => string;
  readonly good: 'up' | 'down' | 'none';
}

const figures: readonly Figure[] = [
  { label: measures.count, of: ({ perMinute }) => perMinute, format: rate, good: 'none' },
  { label: measures.p50, of: ({ p50Ms }) => p50Ms, format: milliseconds, good: 'down' },
  { label: measures.p75, of: ({ p75Ms }) => p75Ms, format: milliseconds, good: 'down' },
  { label: measures.p95, of: ({ p95Ms }) => p95Ms, format: milliseconds, good: 'down' },
  { label: measures.p99, of: ({ p99Ms }) => p99Ms, format: milliseconds, good: 'down' },
  { label: measures.failure, of: ({ failureRate }) => failureRate, format: share, good: 'down' },
  { label: measures.apdex, of: (of) => of.apdex, format: apdex, good: 'up' },
  { label: measures.users, of: ({ users }) => users, format: compactNumber, good: 'none' },
];

/** From here on a sample stands for more than itself. */
const leastSampling = 1.05;

/** What is measured of it, each beside the period before. */
export function Numbers({ details }: { readonly details: TransactionDetails }) {
  const { transaction, sampledOneIn } = details;
  const { before, op, count, project } = transaction;
  const about = { op: op ? <code>{op}</code> : noOperation, project: project.slug, count };
  return (
    <section aria-label={m.summary}>
      <Stack gap={8}>
        <Text as="p">
          {sampledOneIn !== null && sampledOneIn >= leastSampling
            ? m.aboutSampled({ ...about, oneIn: roundedNumber(sampledOneIn, 1) })
            : m.about(about)}
        </Text>
        <Stats>
          {figures.map(({ label, of, format, good }) => (
            <Stat
              key={label}
              name={label}
              note={<Change change={changeOf(of(transaction), before ? of(before) : undefined, good, format)} />}
            >
              {format(of(transaction))}
            </Stat>
          ))}
        </Stats>
      </Stack>
    </section>
  );
}
