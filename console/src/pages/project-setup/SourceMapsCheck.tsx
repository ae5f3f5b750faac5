import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OkIcon, WarningIcon } from '../../ui/icons.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { sourceMapsCheck } from '../../features/source-maps/check.ts';
import { lastScriptEventQuery, sourceMapsQuery } from '../../features/source-maps/queries.ts';
import { SymbolicationProgress } from '../../features/source-maps/SymbolicationProgress.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './ProjectSetupPage.module.css';

/** No stream tells of uploads, and who is on this page waits for one. */
const lookEveryMs = 4000;

/** Turns green by itself when the frames of the last event are lines of the source. */
export function SourceMapsCheck({ project }: { readonly project: Project }) {
  const org = useOrg();
  const event = useQuery(lastScriptEventQuery(org, project.slug));
  const maps = useQuery({ ...sourceMapsQuery(org, project.slug), refetchInterval: lookEveryMs });
  const look = useThrottled(() => void Promise.all([event.refetch(), maps.refetch()]), 2000);
  useLive((message) => {
    if (message.type === 'reconnected' || ('projectSlug' in message && message.projectSlug === project.slug)) look();
  });
  const failed = maps.error ?? event.error;
  if (failed && !(maps.data && event.data !== undefined))
    return <ErrorState error={failed} retry={look} what="The state of source maps could not be loaded" />;
  if (!maps.data || event.data === undefined) return <Skeleton rows={1} height={60} label="Loading source maps" />;
  const check = sourceMapsCheck(maps.data, event.data ?? undefined);
  return (
    <>
      <output
        className={styles.first}
        data-arrived={check.kind === 'ok' || undefined}
        data-bad={check.kind === 'bad' || undefined}
        aria-label="Source maps check"
      >
        {check.kind === 'ok' ? (
          <OkIcon size={18} aria-hidden="true" />
        ) : check.kind === 'bad' ? (
          <WarningIcon size={18} aria-hidden="true" />
        ) : (
          <span className={styles.pulse} aria-hidden="true" />
        )}
        <div className={styles.checkText}>
          <strong>{check.title}</strong>
          <span>{check.detail}</span>
        </div>
        {check.ofEvent && event.data?.groupID && (
          <Link
            to="/issues/$issue"
            params={{ issue: event.data.groupID }}
            search={{ event: event.data.eventID }}
            className={buttonClass('normal', 'small')}
          >
            Open the event
          </Link>
        )}
      </output>
      <SymbolicationProgress project={project.slug} />
    </>
  );
}
