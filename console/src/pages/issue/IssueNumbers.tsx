import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { IssueDetail } from '../../features/issues/queries.ts';
import type { Named } from '../../features/release-names/names.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import * as m from '../../messages/issue.ts';
import { Count } from '../../ui/Count.tsx';
import { Stat, Stats } from '../../ui/KeyValue.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { withUnit } from '../../ui/numbers.ts';
import { Segments } from '../../ui/Segments.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './IssueNumbers.module.css';

// After the line that threw.
const NumbersChart = lazily(async () => (await import('./NumbersChart.tsx')).NumbersChart);

type Period = '24h' | '30d';
const periods: readonly (readonly [Period, string])[] = [
  ['24h', withUnit(24, 'h')],
  ['30d', withUnit(30, 'd')],
];

/** How much, for how many, since when; and when. */
export function IssueNumbers({ issue }: { readonly issue: IssueDetail }) {
  const lastDay = issue.stats['24h'].reduce((sum, [, count]) => sum + count, 0);
  // An issue that was quiet for a day says nothing in that day's chart.
  const [period, setPeriod] = useState<Period>(lastDay > 0 ? '24h' : '30d');
  const { firstRelease: first, lastRelease: last } = issue;
  return (
    <section className={styles.numbers} aria-label={m.counts}>
      <div className={styles.stats}>
        <Stats>
          <Stat name={m.events}>
            <ListLink list="events" label={m.allEvents}>
              <Count value={Number(issue.count)} />
            </ListLink>
          </Stat>
          <Stat name={m.users}>
            <ListLink list="users" label={m.allUsers}>
              <Count value={issue.userCount} />
            </ListLink>
          </Stat>
          <Stat name={m.firstSeen} note={first && <Release release={first} beside={last} />}>
            <Time at={issue.firstSeen} />
          </Stat>
          <Stat name={m.lastSeen} note={last && <Release release={last} beside={first} />}>
            <Time at={issue.lastSeen} />
          </Stat>
        </Stats>
      </div>
      <div className={styles.chart}>
        <NumbersChart
          points={issue.stats[period]}
          title={m.captions[period]}
          issue={issue}
          tools={<Segments label={m.chart} value={period} options={periods} onChange={setPeriod} />}
        />
      </div>
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
    <span className={styles.release}>
      {m.inRelease({
        release: (
          <Link to="/releases/$version" params={{ version }} translate="no" data-tip={version}>
            <ReleaseName release={release} among={[beside]} />
          </Link>
        ),
      })}
    </span>
  );
}
