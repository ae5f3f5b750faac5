import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { sourceMapsCheck } from '../../features/source-maps/check.ts';
import { lastScriptEventQuery, sourceMapsQuery } from '../../features/source-maps/queries.ts';
import { SymbolicationProgress } from '../../features/source-maps/SymbolicationProgress.tsx';
import * as m from '../../messages/project-setup.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Arrival } from './Arrival.tsx';

/** No stream reports uploads, and those on this page wait for one. */
const lookEveryMs = 4000;

/** Turns green when the frames of the last event are lines of the source. */
export function SourceMapsCheck({ project }: { readonly project: Project }) {
  const org = useOrg();
  const event = useQuery(lastScriptEventQuery(org, project.slug));
  const maps = useQuery({ ...sourceMapsQuery(org, project.slug), refetchInterval: lookEveryMs });
  const look = useThrottled(() => void Promise.all([event.refetch(), maps.refetch()]), 2000);
  useLive((message) => {
    if (message.type === 'reconnected' || ('projectSlug' in message && message.projectSlug === project.slug)) look();
  });
  return (
    <QueryView query={[maps, event]} loading={m.checkLoading} failed={m.checkFailed} rows={1} height={60}>
      {([found, last]) => {
        const check = sourceMapsCheck(found, last ?? undefined);
        return (
          <>
            <Arrival
              label={m.checkLabel}
              state={check.kind === 'ok' || check.kind === 'bad' ? check.kind : 'waiting'}
              title={check.title}
              detail={check.detail}
              action={
                check.ofEvent &&
                last?.groupID && (
                  <Link
                    to="/issues/$issue"
                    params={{ issue: last.groupID }}
                    search={{ event: last.eventID }}
                    className={buttonClass('normal', 'small')}
                  >
                    {m.openEvent}
                  </Link>
                )
              }
            />
            <SymbolicationProgress project={project.slug} />
          </>
        );
      }}
    </QueryView>
  );
}
