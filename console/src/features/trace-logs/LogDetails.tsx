import { useQuery } from '@tanstack/react-query';
import * as m from '../../messages/trace-logs.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Time } from '../../ui/Time.tsx';
import { KeyValues } from '../event/KeyValues.tsx';
import { useOrg } from '../session/organization.ts';
import { logQuery, type LogDetails as Log } from './queries.ts';
import styles from './TraceLogs.module.css';

/** All that is stored of a log. */
export function LogDetails({ id, text }: { readonly id: string; readonly text: string }) {
  const query = useQuery(logQuery(useOrg(), id));
  return (
    <QueryView query={query} loading={m.loading} failed={m.failed} height={20}>
      {(log) => (
        <>
          {log.message !== text && <pre className={styles.message}>{log.message}</pre>}
          <KeyValues rows={factsOf(log)} label={m.details} />
          <Inline>
            <CopyButton text={log.message} label={m.copyMessage}>
              {m.message}
            </CopyButton>
            <CopyButton text={() => JSON.stringify(log, null, 2)} label={m.copyJson}>
              {m.json}
            </CopyButton>
          </Inline>
        </>
      )}
    </QueryView>
  );
}

function factsOf(log: Log): { key: string; value: unknown; shown?: React.ReactNode }[] {
  const { attributes, numbers, sdk, remarks } = log;
  const facts = [
    { key: 'time', value: log.timestamp, shown: <Time at={log.timestamp} /> },
    { key: 'severity', value: log.severityNumber ? `${log.level} (${log.severityNumber})` : log.level },
    { key: 'service', value: log.service },
    { key: 'environment', value: log.environment },
    { key: 'release', value: log.release },
    { key: 'origin', value: log.origin },
    { key: 'sdk', value: [sdk.name, sdk.version].filter(Boolean).join(' ') },
  ].filter(({ value }) => value !== '');
  const own = Object.entries({ ...attributes, ...numbers })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ key, value }));
  return [...own, ...facts, ...(remarks.length ? [{ key: 'remarks', value: remarks }] : [])];
}
