import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import * as m from '../../messages/charts.ts';
import { BarChart } from '../charts/BarChart.tsx';
import { bucketOf, type Point } from '../charts/bars.ts';
import styles from './EventChart.module.css';
import type { IssueDetail } from './queries.ts';
import { releaseMarks } from './release-marks.ts';

interface Props {
  readonly points: readonly Point[];
  readonly title: string;
  /** Whose releases are marked, and of which it is said how much of it is stored. */
  readonly issue?: Pick<
    IssueDetail,
    'firstRelease' | 'lastRelease' | 'count' | 'storedCount' | 'estimated' | 'project'
  >;
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
  const count = Number(issue?.count ?? 0);
  const stored = issue?.storedCount ?? count;
  return (
    <>
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
      {issue && stored < count && (
        <p className={styles.stored}>
          {m.storedOf({ stored, count })} {issue.estimated && m.estimatedAs(issue.estimated)}{' '}
          <Link to="/health" search={{ project: issue.project.slug }} hash="accounts">
            {m.accountsOfStorm}
          </Link>
        </p>
      )}
    </>
  );
}
