import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { IssueDetail } from '../../features/issues/queries.ts';
import type { Named } from '../../features/release-names/names.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import { Button } from '../../ui/Button.tsx';
import { Count } from '../../ui/Count.tsx';
import { withUnit } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './IssueNumbers.module.css';

// After the line that threw.
const EventChart = lazy(() =>
  import('../../features/issues/EventChart.tsx').then((module) => ({ default: module.EventChart })),
);

type Period = '24h' | '30d';
const periods: readonly { readonly value: Period; readonly label: string; readonly caption: string }[] = [
  { value: '24h', label: withUnit(24, 'h'), caption: 'Events, last 24 hours' },
  { value: '30d', label: withUnit(30, 'd'), caption: 'Events, last 30 days' },
];

/** How much, for how many, since when; and when. */
export function IssueNumbers({ issue }: { readonly issue: IssueDetail }) {
  const lastDay = issue.stats['24h'].reduce((sum, [, count]) => sum + count, 0);
  // An issue that was quiet for a day says nothing in that day's chart.
  const [period, setPeriod] = useState<Period>(lastDay > 0 ? '24h' : '30d');
  const shown = periods.find((each) => each.value === period) ?? { value: period, label: period, caption: 'Events' };
  return (
    <section className={styles.numbers} aria-label="Numbers">
      <dl className={styles.facts}>
        <div>
          <dt>Events</dt>
          <dd className={styles.big}>
            <ListLink list="events" label="All events">
              <Count value={Number(issue.count)} />
            </ListLink>
          </dd>
        </div>
        <div>
          <dt>Users</dt>
          <dd className={styles.big}>
            <ListLink list="users" label="All affected users">
              <Count value={issue.userCount} />
            </ListLink>
          </dd>
        </div>
        <div>
          <dt>First seen</dt>
          <dd>
            <Time at={issue.firstSeen} />
            {issue.firstRelease && <Release release={issue.firstRelease} beside={issue.lastRelease} />}
          </dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>
            <Time at={issue.lastSeen} />
            {issue.lastRelease && <Release release={issue.lastRelease} beside={issue.firstRelease} />}
          </dd>
        </div>
      </dl>
      <div className={styles.chart}>
        <Suspense>
          <EventChart points={issue.stats[period]} title={shown.caption} issue={issue} />
        </Suspense>
      </div>
      <fieldset className={styles.periods} aria-label="Period of the chart">
        {periods.map((each) => (
          <Button
            key={each.value}
            size="small"
            variant="ghost"
            aria-pressed={period === each.value}
            onClick={() => setPeriod(each.value)}
          >
            {each.label}
          </Button>
        ))}
      </fieldset>
    </section>
  );
}

function ListLink({
  list,
  label,
  children,
}: {
  readonly list: 'events' | 'users';
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <Link
      from="/issues/$issue"
      to="."
      search={(before) => ({ ...before, list, sort: undefined, cursor: undefined })}
      aria-label={label}
      data-tip={label}
    >
      {children}
    </Link>
  );
}

function Release({ release, beside }: { readonly release: Named; readonly beside: Named | null }) {
  const { version } = release;
  return (
    <span className={styles.release} data-tip={version}>
      in
      <Link to="/releases/$version" params={{ version }}>
        <ReleaseName release={release} among={[beside]} />
      </Link>
    </span>
  );
}
