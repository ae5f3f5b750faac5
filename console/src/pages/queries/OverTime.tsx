import { useMemo } from 'react';
import { LineChart } from '../../features/charts/LineChart.tsx';
import type { ChartSeries } from '../../features/charts/series.ts';
import { useZoom } from '../../features/charts/use-zoom.ts';
import type { QueryDetails } from '../../features/performance/database-queries.ts';
import styles from '../../features/performance/details.module.css';
import { milliseconds, perMinute, rate } from '../../features/performance/words.ts';
import * as m from '../../messages/database-query.ts';

/** Durations and calls. A range drawn on either is the page's. */
export function OverTime({
  details: { series, bucketSeconds },
  askedAt,
}: {
  readonly details: QueryDetails;
  /** ms */
  readonly askedAt: number;
}) {
  const zoom = useZoom();
  const times = useMemo(() => series.map(({ at }) => at), [series]);
  const lines = useMemo(
    (): Readonly<Record<'durations' | 'calls', ChartSeries[]>> => ({
      durations: [
        { label: 'p50', token: '--series-1', values: series.map(({ p50Ms }) => p50Ms) },
        { label: 'p95', token: '--series-3', values: series.map(({ p95Ms }) => p95Ms) },
      ],
      calls: [
        {
          label: m.count,
          token: '--accent',
          filled: true,
          values: series.map((part) => perMinute(part, bucketSeconds, askedAt)),
        },
      ],
    }),
    [series, bucketSeconds, askedAt],
  );
  const shared = { times, bucketSeconds, onZoom: zoom };
  return (
    <section className={styles.charts} aria-label={m.overTime}>
      <LineChart
        title={m.duration}
        series={lines.durations}
        format={milliseconds}
        measure="duration"
        height={140}
        labelled
        {...shared}
      />
      <LineChart title={m.count} series={lines.calls} format={rate} height={140} least={0.001} {...shared} />
    </section>
  );
}
