import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endOtherSessions, endSession, type SessionPolicy, sessionsQuery } from '../../features/account/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import * as m from '../../messages/my-account.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { none } from './empty.ts';
import { SessionRow } from './SessionRow.tsx';

function lengthOf(hours: number | null, without: string): string {
  if (hours === null) return without;
  return hours % 24 === 0 ? m.days({ count: hours / 24 }) : m.hours({ count: hours });
}

/** Where the reader is signed in. */
export function SessionsSection({ policy }: { readonly policy: SessionPolicy }) {
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const refresh = () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: async () => {
      await refresh();
      toast(m.signedOut);
    },
  });
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: async ({ endedSessions }) => {
      await refresh();
      toast(m.othersSignedOut({ count: endedSessions }));
    },
  });
  const { idleHours, lifetimeHours } = policy;
  const isLimited = idleHours !== null || lifetimeHours !== null;
  const limits = { idle: lengthOf(idleHours, m.days({ count: 30 })), lifetime: lengthOf(lifetimeHours, m.noLimit) };
  return (
    <Section
      title={m.sessions}
      note={isLimited ? m.sessionsLimited(limits) : m.sessionsNote}
      actions={
        (sessions.data?.length ?? 0) > 1 && (
          <Button size="small" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {m.signOutOthers}
          </Button>
        )
      }
    >
      <FormError error={end.error ?? endOthers.error} />
      <QueryView query={sessions} loading={m.loadingSessions} failed={m.sessionsFailed} empty={<Empty of={none} />}>
        {(all) => (
          <DataList label={m.sessions}>
            {all.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                busy={end.isPending && end.variables === session.id}
                onEnd={() => end.mutate(session.id)}
              />
            ))}
          </DataList>
        )}
      </QueryView>
    </Section>
  );
}
