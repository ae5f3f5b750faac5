import { useMemo } from 'react';
import * as m from '../../messages/charts.ts';
import type { TransactionDetails } from '../../features/performance/queries.ts';
import { milliseconds, perMinute, rate, share, toMarks } from '../../features/performance/words.ts';
import type { ChartSeries } from '../../features/charts/series.ts';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { useZoom } from '../../features/charts/use-zoom.ts';
import styles from '../../features/performance/details.module.css';

/** Percentiles, throughput and failures over time, with what was deployed. A range drawn on any of them is the page's. */
export function OverTime({
  details,
  askedAt,
}: {
  readonly details: TransactionDetails;
  /** ms */
  readonly askedAt: number;
}) {
  const zoom = useZoom();
  const { bucketSeconds } = details;
  const times = useMemo(() => details.series.map(({ at }) => at), [details]);
  const marks = useMemo(() => toMarks(details.marks), [details]);
  const lines = useMemo(
    (): Readonly<Record<'durations' | 'rate' | 'failed', ChartSeries[]>> => ({
      durations: [
        { label: 'p50', token: '--series-1', values: details.series.map(({ p50Ms }) => p50Ms) },
        { label: 'p75', token: '--series-2', dash: [6, 3], values: details.series.map(({ p75Ms }) => p75Ms) },
        {
          label: 'p95',
          token: '--series-3',
          bandTo: 0,
          values: details.series.map(({ p95Ms }) => p95Ms),
        },
        { label: 'p99', token: '--series-4', dash: [2, 2], values: details.series.map(({ p99Ms }) => p99Ms) },
      ],
      rate: [
        {
          label: m.throughput,
          token: '--accent',
          filled: true,
          values: details.series.map((part) => perMinute(part, bucketSeconds, askedAt)),
        },
      ],
      failed: [
        {
          label: m.failureRate,
          token: '--level-error',
          filled: true,
          values: details.series.map(({ count, failed }) => (count > 0 ? failed / count : null)),
        },
      ],
    }),
    [details, bucketSeconds, askedAt],
  );
  const shared = { times, bucketSeconds, marks, onZoom: zoom };
  return (
    <section className={styles.charts} aria-label={m.overTime}>
      <div className={styles.large}>
        <LineChart
          title={m.duration}
          series={lines.durations}
          format={milliseconds}
          measure="duration"
          height={220}
          labelled
          {...shared}
        />
      </div>
      <LineChart title={m.throughput} series={lines.rate} format={rate} height={84} least={0.001} {...shared} />
      <LineChart title={m.failureRate} series={lines.failed} format={share} height={84} least={0.01} {...shared} />
    </section>
  );
}
