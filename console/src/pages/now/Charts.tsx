import { useMemo } from 'react';
import type { Now } from '../../features/now/queries.ts';
import { Change } from '../../features/performance/Change.tsx';
import { useBrush } from '../../features/performance/use-brush.ts';
import { changeOf, milliseconds, toMark } from '../../features/performance/words.ts';
import type { ChartSeries, ChartToken } from '../../features/time-chart/model.ts';
import { TimeChart } from '../../features/time-chart/TimeChart.tsx';
import { compactNumber } from '../../ui/numbers.ts';
import styles from './NowPage.module.css';

interface Chart {
  readonly of: 'errors' | 'users' | 'p95Ms';
  readonly title: string;
  readonly token: ChartToken;
  readonly format: (value: number) => string;
}

const charts: readonly Chart[] = [
  { of: 'errors', title: 'Errors', token: '--level-error', format: compactNumber },
  { of: 'users', title: 'People affected', token: '--accent', format: compactNumber },
  { of: 'p95Ms', title: 'p95 of requests', token: '--op-ui', format: milliseconds },
];

/** The last day, each measure beside the day before. */
export function Charts({ now }: { readonly now: Now }) {
  const brush = useBrush();
  const start = Date.parse(now.start) / 1000;
  const { bucketSeconds } = now;
  const times = useMemo(
    () => now.errors.now.map((_, index) => start + index * bucketSeconds),
    [now, start, bucketSeconds],
  );
  const marks = useMemo(() => now.marks.map(toMark), [now]);
  const lines = useMemo(
    () =>
      charts.map(({ of, token }): ChartSeries[] => [
        { label: 'Today', token, filled: true, values: now[of].now },
        { label: 'Day before', token: '--text-faint', dash: [4, 3], values: now[of].before },
      ]),
    [now],
  );
  return (
    <section className={styles.charts} aria-label="The last 24 hours">
      {charts.map(({ of, title, format }, index) => {
        const { now: today, before } = now.totals[of];
        if (of === 'p95Ms' && today === null && before === null) return <NoRequests key={of} />;
        return (
          <TimeChart
            key={of}
            title={title}
            headline={
              <>
                <span className={styles.headline}>{today === null ? '–' : format(today)}</span>
                <Change change={today === null ? undefined : changeOf(today, before ?? undefined, 'down', format)} />
              </>
            }
            times={times}
            bucketSeconds={bucketSeconds}
            series={lines[index] ?? []}
            marks={marks}
            format={format}
            sync="now"
            onBrush={brush}
          />
        );
      })}
    </section>
  );
}

function NoRequests() {
  return (
    <div className={styles.noRequests}>
      <h2>p95 of requests</h2>
      <p>No request was traced in two days. Switch tracing on in the SDK to see how long they take.</p>
    </div>
  );
}
