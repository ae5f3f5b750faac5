import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import * as m from '../../messages/charts.ts';
import { between } from '../../features/filters/filters.ts';
import { EventCount } from '../../features/issues/EventCount.tsx';
import type { Now } from '../../features/now/queries.ts';
import { Change } from '../../features/performance/Change.tsx';
import { changeOf, milliseconds, toMarks } from '../../features/performance/words.ts';
import type { ChartSeries, ChartToken } from '../../features/charts/series.ts';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { compactNumber } from '../../ui/numbers.ts';
import styles from './NowPage.module.css';

interface Chart {
  readonly of: 'errors' | 'users' | 'p95Ms';
  readonly token: ChartToken;
  readonly format: (value: number) => string;
}

const charts: readonly Chart[] = [
  { of: 'errors', token: '--level-error', format: compactNumber },
  { of: 'users', token: '--accent', format: compactNumber },
  { of: 'p95Ms', token: '--series-4', format: milliseconds },
];

/** The last day, each measure beside the day before. */
export function Charts({ now }: { readonly now: Now }) {
  const navigate = useNavigate();
  const start = Date.parse(now.start) / 1000;
  const { bucketSeconds } = now;
  const times = useMemo(
    () => now.errors.now.map((_, index) => start + index * bucketSeconds),
    [now, start, bucketSeconds],
  );
  const marks = useMemo(() => toMarks(now.marks), [now]);
  const lines = useMemo(
    () =>
      charts.map(({ of, token }): ChartSeries[] => [
        { label: m.today, token, filled: true, values: now[of].now },
        { label: m.dayBefore, token: '--text-faint', dash: [4, 3], values: now[of].before },
      ]),
    [now],
  );
  return (
    <section className={styles.charts} aria-label={m.last24Hours}>
      {charts.map(({ of, format }, index) => {
        const { now: today, before } = now.totals[of];
        if (of === 'p95Ms' && today === null && before === null) return <NoRequests key={of} />;
        return (
          <LineChart
            key={of}
            title={m.nowCharts[of]}
            headline={
              <>
                <span className={styles.headline}>
                  {of === 'errors' && today !== null ? (
                    <EventCount of={{ count: today, estimated: now.totals.errors.estimated }} />
                  ) : today === null ? (
                    '–'
                  ) : (
                    format(today)
                  )}
                </span>
                <Change change={today === null ? undefined : changeOf(today, before ?? undefined, 'down', format)} />
              </>
            }
            times={times}
            bucketSeconds={bucketSeconds}
            series={lines[index] ?? []}
            marks={marks}
            format={format}
            measure={of === 'p95Ms' ? 'duration' : 'count'}
            onZoom={(startMs, endMs) => void navigate(placeOf(of, startMs, endMs))}
          />
        );
      })}
    </section>
  );
}

/**
 * Now has one time. Whoever draws a part of it wants to know what happened there: the page that lists it, with that time in
 * its filter.
 */
function placeOf(of: Chart['of'], startMs: number, endMs: number) {
  const time = between(startMs, endMs);
  return of === 'p95Ms'
    ? ({ to: '/traces', search: { ...time, sort: 'slowest' } } as const)
    : ({ to: '/issues', search: { ...time, status: 'all', sort: of === 'users' ? 'user' : 'freq' } } as const);
}

function NoRequests() {
  return (
    <div className={styles.noRequests}>
      <h2>{m.nowCharts.p95Ms}</h2>
      <p>{m.notTraced}</p>
    </div>
  );
}
