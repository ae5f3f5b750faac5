import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { between, type Filters } from '../../features/filters/filters.ts';
import { releaseSessionsQuery, type Sessions } from '../../features/releases/health-queries.ts';
import {
  type EnvironmentHealth,
  environmentRows,
  healthLines,
  healthRange,
} from '../../features/releases/health-series.ts';
import { badShare, freeShare, healthTone, toneWords } from '../../features/releases/health-words.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as charts from '../../messages/charts.ts';
import * as m from '../../messages/release.ts';
import { Count } from '../../ui/Count.tsx';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Card } from '../../ui/Page.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { compactNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './Health.module.css';

const counted = ['sessions', 'crashed', 'abnormal', 'unhandled', 'errored', 'users'] as const;
/** Their rates stay where there is no room. */
const spare: ReadonlySet<string> = new Set(['unhandled', 'errored', 'users']);

type Period = 'short' | 'long';

/** How many sessions and users got through without a crash, over time and by environment. */
export function Health({ release, filters }: { readonly release: ReleaseDetail; readonly filters: Filters }) {
  // The range stays while the page is open, although time passes.
  const [openedAt] = useState(() => Date.now());
  const range = healthRange(release.firstEvent ?? release.dateCreated, openedAt);
  const period = range.statsPeriod === '48h' ? 'short' : 'long';
  const sessions = useQuery(releaseSessionsQuery(useOrg(), release.version, filters, range));
  return (
    <Panel title={m.health} id="health" boxed={false}>
      <QueryView query={sessions} loading={m.loadingHealth} failed={m.healthFailed} rows={2} height={120}>
        {(data) => {
          const rows = environmentRows(data);
          return rows.length === 0 ? (
            <NoSessions period={period} />
          ) : (
            <Card>
              <HealthCharts release={release} data={data} period={period} />
              <EnvironmentTable rows={rows} />
            </Card>
          );
        }}
      </QueryView>
    </Panel>
  );
}

function HealthCharts({
  release,
  data,
  period,
}: {
  readonly release: ReleaseDetail;
  readonly data: Sessions;
  readonly period: Period;
}) {
  const navigate = useNavigate();
  const lines = useMemo(() => healthLines(data), [data]);
  const { lastDeploy, shortVersion, version } = release;
  const marks = useMemo(
    () =>
      lastDeploy
        ? [
            {
              at: Date.parse(lastDeploy.dateFinished) / 1000,
              label: shortVersion,
              detail: m.deployedTo({ version, environment: lastDeploy.environment }),
              version,
            },
          ]
        : [],
    [lastDeploy, shortVersion, version],
  );
  // The page is about all of the release's time; a part of it leads to the issues of that part.
  const openIssues = (startMs: number, endMs: number): void =>
    void navigate({
      to: '/issues',
      search: { ...between(startMs, endMs), q: termText('release', version), status: 'all' },
    });
  if (!lines) return null;
  const { times, bucketSeconds } = lines;
  return (
    <div className={styles.charts}>
      <LineChart
        title={charts.sessions}
        headline={m.lastPeriods[period]}
        times={times}
        bucketSeconds={bucketSeconds}
        series={lines.sessions}
        format={compactNumber}
        measure="count"
        marks={marks}
        onZoom={openIssues}
      />
      <LineChart
        title={charts.shareCrashed}
        times={times}
        bucketSeconds={bucketSeconds}
        series={lines.crashed}
        format={badShare}
        marks={marks}
        least={0.01}
        onZoom={openIssues}
      />
    </div>
  );
}

function EnvironmentTable({ rows }: { readonly rows: readonly EnvironmentHealth[] }) {
  return (
    <DataTable
      label={m.healthByEnvironment}
      dense
      head={
        <>
          <HeadCell main>{m.environment}</HeadCell>
          <HeadCell number>{m.crashFreeSessions}</HeadCell>
          <HeadCell number>{m.crashFreeUsers}</HeadCell>
          {counted.map((key) => (
            <HeadCell key={key} number hide={spare.has(key) ? 'medium' : 'narrow'}>
              {m.counted[key]}
            </HeadCell>
          ))}
        </>
      }
    >
      {rows.map((row) => (
        <tr key={row.environment}>
          <RowHead>
            {row.environment ? (
              <strong translate="no" title={row.environment}>
                {row.environment}
              </strong>
            ) : (
              <Text tone="faint">{m.noEnvironment}</Text>
            )}
          </RowHead>
          <Cell number>
            <Free share={row.crashFreeSessions} />
          </Cell>
          <Cell number>
            <Free share={row.crashFreeUsers} />
          </Cell>
          {counted.map((key) => (
            <Cell key={key} number hide={spare.has(key) ? 'medium' : 'narrow'}>
              <Count value={row[key]} />
            </Cell>
          ))}
        </tr>
      ))}
    </DataTable>
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

/** SDKs send sessions by default; what is missing is nearly always the release. */
function NoSessions({ period }: { readonly period: Period }) {
  return (
    <Text as="div">
      <Stack gap={8}>
        <p>{m.noSessions[period]}</p>
        <ul className={styles.sdks}>
          <li>{m.sessionsInBrowsers}</li>
          <li>{m.sessionsInNode}</li>
          <li>{m.sessionsInPython}</li>
          <li>{m.sessionsInApps}</li>
        </ul>
      </Stack>
    </Text>
  );
}
