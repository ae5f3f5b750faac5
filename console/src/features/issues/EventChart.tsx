import { useMemo, type ReactNode } from 'react';
import * as m from '../../messages/charts.ts';
import { BarChart } from '../charts/BarChart.tsx';
import { bucketOf, type Point } from '../charts/bars.ts';
import { releaseMarks } from './release-marks.ts';

interface Props {
  readonly points: readonly Point[];
  readonly title: string;
  /** Whose releases are marked. */
  readonly issue?: Parameters<typeof releaseMarks>[0];
  readonly tools?: ReactNode;
  readonly onZoom?: (startMs: number, endMs: number) => void;
}

/** px */
const height = 74;

/** Events of an issue over time. */
export function EventChart({ points, title, issue, tools, onZoom }: Props) {
  const { times, series } = useMemo(
    () => ({
      times: points.map(([at]) => at),
      series: [{ label: m.events, token: '--accent' as const, values: points.map(([, count]) => count) }],
    }),
    [points],
  );
  const marks = useMemo(() => issue && releaseMarks(issue), [issue]);
  return (
    <BarChart
      title={title}
      counted="event"
      times={times}
      bucketSeconds={bucketOf(points)}
      series={series}
      height={height}
      tools={tools}
      {...(marks && { marks })}
      {...(onZoom && { onZoom })}
    />
  );
}
