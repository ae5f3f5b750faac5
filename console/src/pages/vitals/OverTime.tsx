import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { vitalSeriesQuery } from '../../features/performance/part-queries.ts';
import type { VitalName } from '../../features/performance/queries.ts';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { useBrush } from '../../features/performance/use-brush.ts';
import { formatVital, vitalFacts } from '../../features/performance/vitals.ts';
import { share } from '../../features/performance/words.ts';
import type { ChartSeries } from '../../features/time-chart/model.ts';
import { TimeChart } from '../../features/time-chart/TimeChart.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './VitalsPage.module.css';

const formats = Object.fromEntries(
  (Object.keys(vitalFacts) as VitalName[]).map((vital) => [vital, (value: number) => formatVital(vital, value)]),
) as Readonly<Record<VitalName, (value: number) => string>>;

/** One vital over time: p75 against its thresholds, and how samples divided. */
export function OverTime({ search, vital }: { readonly search: VitalsSearch; readonly vital: VitalName }) {
  const found = useQuery(vitalSeriesQuery(useOrg(), search, search.page));
  const brush = useBrush();
  const data = found.data;
  const lines = useMemo(() => {
    const points = data?.vitals.find((each) => each.vital === vital)?.points ?? data?.times.map(() => null) ?? [];
    const { good, poor } = vitalFacts[vital];
    const at = (value: number): number[] => points.map(() => value);
    const part = (of: (point: NonNullable<(typeof points)[number]>) => number) =>
      points.map((point) => point && of(point) / Math.max(1, point.count));
    const p75: ChartSeries[] = [
      { label: 'p75', token: '--accent', filled: true, values: points.map((point) => point && point.p75) },
      { label: 'good', token: '--ok', dash: [6, 4], values: at(good) },
      { label: 'poor', token: '--level-error', dash: [2, 3], values: at(poor) },
    ];
    const parts: ChartSeries[] = [
      { label: 'Good', token: '--ok', values: part((point) => point.good) },
      {
        label: 'Needs work',
        token: '--level-warning',
        dash: [6, 3],
        values: part((point) => point.count - point.good - point.poor),
      },
      { label: 'Poor', token: '--level-error', dash: [2, 2], values: part((point) => point.poor) },
    ];
    return { p75, parts };
  }, [data, vital]);
  if (found.isPending) return <Skeleton rows={1} height={200} label="Loading the chart" />;
  if (found.isError && !data)
    return <ErrorState error={found.error} retry={() => void found.refetch()} what="The chart could not be loaded" />;
  if (!data) return null;
  const shared = { times: data.times, bucketSeconds: data.bucketSeconds, sync: 'vitals', onBrush: brush };
  const { short } = vitalFacts[vital];
  return (
    <section className={styles.charts} aria-label={`${short} over time`}>
      <TimeChart
        title={`${short} at p75`}
        series={lines.p75}
        format={formats[vital]}
        height={160}
        least={vital === 'cls' ? 0.01 : 1}
        labelled
        {...shared}
      />
      <TimeChart
        title={`How ${short} samples divide`}
        series={lines.parts}
        format={share}
        height={160}
        least={1}
        {...shared}
      />
    </section>
  );
}
