import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RetryIcon } from '../../ui/icons.ts';
import { useEffect, useRef } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { shownExceptions } from '../../features/event/entries.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { useOrg } from '../../features/session/organization.ts';
import { SymbolicationProgress } from '../../features/source-maps/SymbolicationProgress.tsx';
import { symbolicate, symbolicationQuery } from '../../features/source-maps/queries.ts';
import { causesOf, causeWords, fileName, uploadCommand, type Cause } from '../../features/stacktrace/causes.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { plural } from '../../ui/numbers.ts';
import { toast } from '../../ui/toasts.ts';
import styles from './UnresolvedFrames.module.css';

const maxFiles = 5;
const lookEveryMs = 500;
const maxLooks = 20;

/** Why frames are shown minified, once per cause, with the command that mends it; asks again by itself when maps arrive. */
export function UnresolvedFrames({ issue, event }: { readonly issue: IssueDetail; readonly event: Event }) {
  const org = useOrg();
  const project = issue.project.slug;
  const queries = useQueryClient();
  const progress = useQuery(symbolicationQuery(org, project));
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['issues', org, 'one', issue.shortId] });
  const retry = useMutation({
    mutationFn: async () => {
      const before = progress.data?.finishedAt;
      await symbolicate(org, project, event.eventID);
      for (let attempt = 0; attempt < maxLooks; attempt += 1) {
        const { data } = await progress.refetch();
        if (data && !data.running && data.finishedAt !== before) break;
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
      await reload();
    },
    // Gone are these words when it helped.
    onSuccess: () => toast('Looked again'),
  });
  // The stream says that the issue's events were stored anew; what is still under way says so itself.
  const look = useThrottled(() => void progress.refetch(), 1000);
  useLive((message) => {
    if (message.type === 'reconnected' || ('issueIds' in message && message.issueIds.includes(issue.id))) look();
  });
  const running = progress.data?.running === true;
  const wasRunning = useRef(running);
  useEffect(() => {
    if (wasRunning.current && !running) void reload();
    wasRunning.current = running;
  });

  const causes = causesOf(shownExceptions(event).flatMap(({ stacktrace }) => stacktrace?.frames ?? []));
  if (causes.length === 0) return null;
  return (
    <section className={styles.box} aria-label="Frames that stayed minified">
      <SymbolicationProgress project={project} />
      {causes.map((cause) => (
        <CauseNote key={`${cause.code}-${cause.byDebugId}`} cause={cause} event={event} org={org} project={project} />
      ))}
      <div className={styles.actions}>
        <Button size="small" icon={<RetryIcon size={14} />} busy={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </Button>
        <span>Stored events are mapped by themselves once an upload is indexed.</span>
      </div>
      <FormError error={retry.error} />
    </section>
  );
}

function CauseNote({
  cause,
  event,
  org,
  project,
}: {
  readonly cause: Cause;
  readonly event: Event;
  readonly org: string;
  readonly project: string;
}) {
  const release = event.release?.version ?? '';
  const { wrong, mend } = causeWords(cause, release);
  const place = { url: location.origin, org, project, release, dist: event.dist ?? '' };
  const { files } = cause;
  return (
    <div className={styles.cause}>
      <p className={styles.wrong}>
        <strong>{wrong}</strong> <span className={styles.frames}>{plural(cause.frames, 'frame')} of this event.</span>
      </p>
      {files.length > 1 && (
        <ul className={styles.files}>
          {files.slice(0, maxFiles).map((file) => (
            <li key={`${file.url} ${file.debugId}`}>
              <code>{fileName(file.url)}</code>{' '}
              <span>{[file.debugId && `debug id ${file.debugId}`, file.detail].filter(Boolean).join(', ')}</span>
            </li>
          ))}
          {files.length > maxFiles && <li>and {plural(files.length - maxFiles, 'more file')}</li>}
        </ul>
      )}
      <p className={styles.mend}>{mend}</p>
      <CodeBlock
        file="Terminal"
        language="sh"
        label={`Upload for ${fileName(files[0]?.url ?? '')}`}
        code={uploadCommand(cause, place)}
      />
    </div>
  );
}
