import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as m from '../../messages/charts.ts';
import { useDeployMarks } from '../../features/performance/deploy-marks.ts';
import { vitalSeriesQuery } from '../../features/performance/part-queries.ts';
import { type VitalName, vitalsRange, type VitalSeries } from '../../features/performance/queries.ts';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { formatVital, vitalFacts } from '../../features/performance/vitals.ts';
import { share } from '../../features/performance/words.ts';
import type { ChartMark } from '../../features/charts/marks.ts';
import type { ChartSeries, Threshold } from '../../features/charts/series.ts';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { useZoom } from '../../features/charts/use-zoom.ts';
import { useOrg } from '../../features/session/organization.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import styles from './VitalsPage.module.css';

const formats = Object.fromEntries(
  (Object.keys(vitalFacts) as VitalName[]).map((vital) => [vital, (value: number) => formatVital(vital, value)]),
) as Readonly<Record<VitalName, (value: number) => string>>;

/** One vital over time: p75 against its thresholds, and how samples divided. */
export function OverTime({ search, vital }: { readonly search: VitalsSearch; readonly vital: VitalName }) {
  const found = useQuery(vitalSeriesQuery(useOrg(), search, search.page));
  const marks = useDeployMarks(search, vitalsRange);
  return (
    <QueryView query={found} loading={m.loadingChart} failed={m.notLoaded} rows={1} height={200}>
      {(data) => <VitalCharts data={data} vital={vital} marks={marks} />}
    </QueryView>
  );
}

interface ChartsProps {
  readonly data: VitalSeries;
  readonly vital: VitalName;
  readonly marks: readonly ChartMark[];
}

function VitalCharts({ data, vital, marks }: ChartsProps) {
  const zoom = useZoom();
  const lines = useMemo(() => {
    const points = data.vitals.find((each) => each.vital === vital)?.points ?? data.times.map(() => null);
    const { good, poor } = vitalFacts[vital];
    const part = (of: (point: NonNullable<(typeof points)[number]>) => number) =>
      points.map((point) => point && of(point) / Math.max(1, point.count));
    const p75: ChartSeries[] = [
      { label: 'p75', token: '--accent', filled: true, values: points.map((point) => point && point.p75) },
    ];
    const thresholds: Threshold[] = [
      { label: m.thresholds.good, token: '--ok', dash: [6, 4], value: good },
      { label: m.thresholds.poor, token: '--level-error', dash: [2, 3], value: poor },
    ];
    const parts: ChartSeries[] = [
      { label: m.ratings.good, token: '--ok', values: part((point) => point.good) },
      {
        label: m.ratings.meh,
        token: '--level-warning',
        dash: [6, 3],
        values: part((point) => point.count - point.good - point.poor),
      },
      { label: m.ratings.poor, token: '--level-error', dash: [2, 2], values: part((point) => point.poor) },
    ];
    return { p75, thresholds, parts };
  }, [data, vital]);
  const shared = { times: data.times, bucketSeconds: data.bucketSeconds, marks, onZoom: zoom };
  const { short } = vitalFacts[vital];
  return (
    <section className={styles.charts} aria-label={m.vitalOverTime({ vital: short })}>
      <LineChart
        title={m.vitalAtP75({ vital: short })}
        series={lines.p75}
        thresholds={lines.thresholds}
        format={formats[vital]}
        height={160}
        least={vital === 'cls' ? 0.01 : 1}
        measure={vital === 'cls' ? 'number' : 'duration'}
        labelled
        {...shared}
      />
      <LineChart
        title={m.vitalByRating({ vital: short })}
        series={lines.parts}
        format={share}
        height={160}
        least={1}
        {...shared}
      />
    </section>
  );
}
