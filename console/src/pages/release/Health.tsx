import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import * as m from '../../messages/charts.ts';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { between, type Filters } from '../../features/filters/filters.ts';
import { releaseSessionsQuery } from '../../features/releases/health-queries.ts';
import { environmentRows, healthLines, healthRange } from '../../features/releases/health-series.ts';
import { badShare, freeShare, healthTone, toneWords } from '../../features/releases/health-words.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Count } from '../../ui/Count.tsx';
import { compactNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './Health.module.css';

const counted = [
  { key: 'sessions', label: 'Sessions' },
  { key: 'crashed', label: 'Crashed' },
  { key: 'abnormal', label: 'Abnormal' },
  { key: 'unhandled', label: 'Unhandled' },
  { key: 'errored', label: 'Errored' },
  { key: 'users', label: 'Users' },
] as const;

/** How many sessions and users got through without a crash, over time and by environment. */
export function Health({ release, filters }: { readonly release: ReleaseDetail; readonly filters: Filters }) {
  const navigate = useNavigate();
  // The range stays while the page is open, whatever the time is by then.
  const [openedAt] = useState(() => Date.now());
  const range = healthRange(release.firstEvent ?? release.dateCreated, openedAt);
  const sessions = useQuery(releaseSessionsQuery(useOrg(), release.version, filters, range));
  const { data } = sessions;
  const rows = useMemo(() => (data ? environmentRows(data) : []), [data]);
  const lines = useMemo(() => (data ? healthLines(data) : undefined), [data]);
  const marks = useMemo(
    () =>
      release.lastDeploy
        ? [
            {
              at: Date.parse(release.lastDeploy.dateFinished) / 1000,
              label: release.shortVersion,
              detail: `${release.version}: deployed to ${release.lastDeploy.environment}`,
              version: release.version,
            },
          ]
        : [],
    [release],
  );
  // The page is about all of the release's time; a part of it is asked about for what went wrong there.
  const openIssues = (startMs: number, endMs: number): void =>
    void navigate({
      to: '/issues',
      search: { ...between(startMs, endMs), q: termText('release', release.version), status: 'all' },
    });
  return (
    <Panel title="Health" id="health" boxed={rows.length > 0}>
      {sessions.isPending ? (
        <Skeleton rows={2} height={120} label="Loading health" />
      ) : sessions.isError && !data ? (
        <ErrorState error={sessions.error} retry={() => void sessions.refetch()} what="Health could not be loaded" />
      ) : !lines || rows.length === 0 ? (
        <NoSessions period={range.statsPeriod} />
      ) : (
        <>
          <div className={styles.charts}>
            <LineChart
              title={m.sessions}
              headline={range.statsPeriod === '48h' ? 'last 48 hours' : 'last 14 days'}
              times={lines.times}
              bucketSeconds={lines.bucketSeconds}
              series={lines.sessions}
              format={compactNumber}
              measure="count"
              marks={marks}
              onZoom={openIssues}
            />
            <LineChart
              title={m.shareCrashed}
              times={lines.times}
              bucketSeconds={lines.bucketSeconds}
              series={lines.crashed}
              format={badShare}
              marks={marks}
              least={0.01}
              onZoom={openIssues}
            />
          </div>
          <table className={styles.table} aria-label="Health by environment">
            <thead>
              <tr>
                <th scope="col">Environment</th>
                <th scope="col">Crash-free sessions</th>
                <th scope="col">Crash-free users</th>
                {counted.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.environment}>
                  <th scope="row" title={row.environment}>
                    {row.environment || <span className={styles.faint}>none named</span>}
                  </th>
                  <td>
                    <Free share={row.crashFreeSessions} />
                  </td>
                  <td>
                    <Free share={row.crashFreeUsers} />
                  </td>
                  {counted.map(({ key }) => (
                    <td key={key} className={row[key] === 0 ? styles.faint : undefined}>
                      <Count value={row[key]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Panel>
  );
}

/** A crash-free rate; what is bad about it is said in words too. */
function Free({ share }: { readonly share: number | null }) {
  const tone = healthTone(share);
  return (
    <span className={styles.free} data-tone={tone}>
      {freeShare(share)}
      {toneWords[tone] && <span className="visually-hidden"> ({toneWords[tone]})</span>}
    </span>
  );
}

/** SDKs send sessions unless they are told not to; what is missing is nearly always the release. */
function NoSessions({ period }: { readonly period: string }) {
  return (
    <div className={styles.none}>
      <p>
        No session of this release began in the last {period === '48h' ? '48 hours' : '14 days'}. SDKs send sessions by
        themselves as soon as <code>release</code> is set in <code>Sentry.init</code>:
      </p>
      <ul>
        <li>
          <strong>Browser, React, Next.js</strong>: a session a page, by <code>browserSessionIntegration</code>, which
          is on unless integrations were replaced. In version 7: <code>autoSessionTracking: true</code>.
        </li>
        <li>
          <strong>Node</strong>: requests are counted by the minute while <code>httpIntegration</code> is on; other
          programs send one session from start to end.
        </li>
        <li>
          <strong>Python, Ruby</strong>: <code>auto_session_tracking</code>, on by default where requests are served.
        </li>
        <li>
          <strong>Mobile and desktop</strong>: <code>enableAutoSessionTracking</code>, on by default.
        </li>
      </ul>
    </div>
  );
}
