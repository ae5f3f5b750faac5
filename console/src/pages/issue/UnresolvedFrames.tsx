import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { shownExceptions } from '../../features/event/entries.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { symbolicate, symbolicationQuery } from '../../features/source-maps/queries.ts';
import { SymbolicationProgress } from '../../features/source-maps/SymbolicationProgress.tsx';
import {
  type Cause,
  causesOf,
  causeWords,
  fileName,
  uploadCommand,
  type UploadPlace,
} from '../../features/stacktrace/causes.ts';
import * as m from '../../messages/source-maps.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { RetryIcon } from '../../ui/icons.ts';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';

const maxFiles = 5;
const lookEveryMs = 500;
const maxLooks = 20;

/** Why frames are shown minified, once per cause, with the command that fixes it; updates automatically when maps arrive. */
export function UnresolvedFrames({ issue, event }: { readonly issue: IssueDetail; readonly event: Event }) {
  const org = useOrg();
  const project = issue.project.slug;
  const queries = useQueryClient();
  const may = useMay('event:write');
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
    onSuccess: () => toast(m.retried),
  });
  // The stream says that the issue's events were stored anew; work that still runs shows its own progress.
  const look = useThrottled(() => void progress.refetch(), 1000);
  useLive((message) => {
    if (message.type === 'reconnected' || ('issueIds' in message && message.issueIds.includes(issue.id))) look();
  });
  // Work can be done before it was ever seen running: what counts is when it ended.
  const finishedAt = progress.data?.finishedAt;
  const known = useRef(finishedAt);
  useEffect(() => {
    if (known.current !== undefined && finishedAt !== known.current) void reload();
    known.current = finishedAt;
  });

  const causes = causesOf(shownExceptions(event).flatMap(({ stacktrace }) => stacktrace?.frames ?? []));
  if (causes.length === 0) return null;
  const release = event.release?.version ?? '';
  const place = { url: location.origin, org, project, release, dist: event.dist ?? '' };
  return (
    <section aria-label={m.minifiedFrames}>
      <Notice tone="warning">
        <SymbolicationProgress project={project} />
        {causes.map((cause) => (
          <CauseNote key={`${cause.code}-${cause.byDebugId}`} cause={cause} place={place} />
        ))}
        <Inline gap={12}>
          {may && (
            <Button size="small" icon={<RetryIcon size={14} />} busy={retry.isPending} onClick={() => retry.mutate()}>
              {m.retry}
            </Button>
          )}
          <Text small>{m.automatic}</Text>
        </Inline>
        <FormError error={retry.error} />
      </Notice>
    </section>
  );
}

export function CauseNote({ cause, place }: { readonly cause: Cause; readonly place: UploadPlace }) {
  const { wrong, mend } = causeWords(cause, place.release);
  const { files } = cause;
  return (
    <Stack gap={8}>
      <p>
        <strong>{wrong}</strong> <Text>{m.frameCount({ count: cause.frames })}</Text>
      </p>
      {files.length > 1 && (
        <ul>
          {files.slice(0, maxFiles).map(({ url, debugId, detail }) => (
            <li key={`${url} ${debugId}`}>
              <code>{fileName(url)}</code>{' '}
              <Text tone="faint" small>
                {[debugId && m.debugId({ id: debugId }), detail].filter(Boolean).join(', ')}
              </Text>
            </li>
          ))}
          {files.length > maxFiles && (
            <li>
              <Text small>{m.moreFiles({ count: files.length - maxFiles })}</Text>
            </li>
          )}
        </ul>
      )}
      <Text as="p">{mend}</Text>
      <CodeBlock
        file={m.terminal}
        language="sh"
        label={m.upload({ file: fileName(files[0]?.url ?? '') })}
        code={uploadCommand(cause, place)}
      />
    </Stack>
  );
}
