import { useMemo } from 'react';
import * as m from '../../messages/charts.ts';
import { Change } from '../../features/performance/Change.tsx';
import type { SeriesPart, TransactionSeries } from '../../features/performance/queries.ts';
import { changeOf, milliseconds, perMinute, rate, share, toMarks } from '../../features/performance/words.ts';
import type { Measure } from '../../features/charts/scales.ts';
import type { ChartSeries, ChartToken } from '../../features/charts/series.ts';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { useZoom } from '../../features/charts/use-zoom.ts';
import styles from './PerformancePage.module.css';

interface Chart {
  readonly title: string;
  readonly token: ChartToken;
  readonly value: (part: SeriesPart, bucketSeconds: number, askedAt: number) => number | null;
  readonly total: (measures: NonNullable<TransactionSeries['totals']>) => number;
  readonly format: (value: number) => string;
  readonly good: 'down' | 'none';
  readonly least: number;
  readonly measure?: Measure;
}

const charts: readonly Chart[] = [
  {
    title: m.throughput,
    token: '--accent',
    value: perMinute,
    total: ({ perMinute }) => perMinute,
    format: rate,
    good: 'none',
    least: 0.001,
  },
  {
    title: 'p95',
    token: '--series-4',
    value: ({ p95Ms }) => p95Ms,
    total: ({ p95Ms }) => p95Ms,
    format: milliseconds,
    good: 'down',
    least: 1,
    measure: 'duration',
  },
  {
    title: m.failureRate,
    token: '--level-error',
    value: ({ count, failed }) => (count > 0 ? failed / count : null),
    total: ({ failureRate }) => failureRate,
    format: share,
    good: 'down',
    least: 0.01,
  },
];

/** The whole selection over time, each measure beside the period before. A range drawn on any of them is the page's. */
export function Summary({
  series,
  askedAt,
}: {
  readonly series: TransactionSeries;
  /** ms */
  readonly askedAt: number;
}) {
  const zoom = useZoom();
  const { totals, before, bucketSeconds } = series;
  const times = useMemo(() => series.series.map(({ at }) => at), [series]);
  const marks = useMemo(() => toMarks(series.marks), [series]);
  const lines = useMemo(
    () =>
      charts.map(({ token, value }): ChartSeries[] => [
        { label: m.now, token, filled: true, values: series.series.map((part) => value(part, bucketSeconds, askedAt)) },
        {
          label: m.previousPeriod,
          token: '--text-faint',
          dash: [4, 3],
          values: series.seriesBefore.map((part) => (before ? value(part, bucketSeconds, Infinity) : null)),
        },
      ]),
    [series, before, bucketSeconds, askedAt],
  );
  if (!totals) return null;
  return (
    <section className={styles.summary} aria-label={m.summary}>
      {charts.map(({ title, total, format, good, least, measure }, index) => (
        <LineChart
          key={title}
          title={title}
          headline={
            <>
              <span className={styles.headline}>{format(total(totals))}</span>
              <Change change={changeOf(total(totals), before ? total(before) : undefined, good, format)} />
            </>
          }
          times={times}
          bucketSeconds={bucketSeconds}
          series={lines[index] ?? []}
          marks={marks}
          format={format}
          least={least}
          {...(measure && { measure })}
          onZoom={zoom}
        />
      ))}
    </section>
  );
}
