import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { InviteIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useState } from 'react';
import {
  type Invited,
  type Member,
  membersQuery,
  removeMember,
  renewInvitation,
  teamsQuery,
} from '../../features/people/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { plural } from '../../ui/numbers.ts';
import { Card, Column, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { InviteForm } from './InviteForm.tsx';
import { InviteLink } from './InviteLink.tsx';
import { MemberRow } from './MemberRow.tsx';
import styles from './MembersPage.module.css';

const RemoveMember = lazy(() => import('./RemoveMember.tsx').then((module) => ({ default: module.RemoveMember })));

/** Who works in the organisation, what they may do, and who is invited. */
export function MembersPage() {
  useTitle('Members', 'Settings');
  const org = useOrg();
  const { organization, user } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const members = useQuery(membersQuery(org));
  const teams = useQuery(teamsQuery(org));
  const [inviting, setInviting] = useState(false);
  const [fresh, setFresh] = useState<Invited>();
  const [leaving, setLeaving] = useState<Member>();
  const mayManage = organization.access.includes('member:write');
  const refresh = () => queries.invalidateQueries({ queryKey: ['members', org] });

  const remove = useMutation({
    mutationFn: ({ member, keepBuildTokens = false }: { member: Member; keepBuildTokens?: boolean }) =>
      removeMember(org, member.user?.id === user.id ? 'me' : member.id, keepBuildTokens),
    onSuccess: async (_, { member }) => {
      setLeaving(undefined);
      if (fresh?.id === member.id) setFresh(undefined);
      if (member.user?.id === user.id) {
        queries.clear();
        await navigate({ to: '/', replace: true, reloadDocument: true });
        return;
      }
      toast(member.pending ? 'Invitation taken back' : `${member.name} removed`);
      await Promise.all([
        refresh(),
        queries.invalidateQueries({ queryKey: ['teams', org] }),
        queries.invalidateQueries({ queryKey: ['tokens', org] }),
      ]);
    },
  });
  const renew = useMutation({
    mutationFn: (member: Member) => renewInvitation(org, member.id),
    onSuccess: async (invited) => {
      setFresh(invited);
      await refresh();
    },
    onError: (error) => toast(`No new link: ${error.message}`, { kind: 'failed' }),
  });

  const there = members.data?.filter(({ pending }) => !pending) ?? [];
  const invited = members.data?.filter(({ pending }) => pending) ?? [];
  const ask = (member: Member): void => {
    remove.reset();
    if (member.pending) remove.mutate({ member });
    else setLeaving(member);
  };
  const rows = (list: readonly Member[]) => (
    <Card>
      <ul>
        {list.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            teams={teams.data ?? []}
            isSelf={member.user?.id === user.id}
            ownRole={organization.role ?? ''}
            mayManage={mayManage}
            renewing={renew.isPending && renew.variables.id === member.id}
            onRenew={() => renew.mutate(member)}
            onRemove={() => ask(member)}
          />
        ))}
      </ul>
    </Card>
  );
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title="Members"
          note={
            mayManage
              ? 'Owners may do everything. Admins manage projects and people, but no owners. Members work on issues.'
              : 'You can see who is here. Owners and admins invite and change members.'
          }
          actions={
            mayManage &&
            !inviting && (
              <Button size="small" icon={<InviteIcon size={14} />} onClick={() => setInviting(true)}>
                Invite
              </Button>
            )
          }
        >
          {inviting && (
            <InviteForm
              teams={teams.data ?? []}
              mayMakeOwners={organization.role === 'owner'}
              onCancel={() => setInviting(false)}
              onInvited={(one) => {
                setFresh(one);
                setInviting(false);
              }}
            />
          )}
          {fresh && <InviteLink invited={fresh} onClose={() => setFresh(undefined)} />}
          {members.isPending ? (
            <Skeleton rows={3} height={57} label="Loading members" />
          ) : members.isError ? (
            <ErrorState
              error={members.error}
              retry={() => void members.refetch()}
              what="The members could not be loaded"
            />
          ) : (
            rows(there)
          )}
        </Section>
        {invited.length > 0 && (
          <Section title="Invited" note={`${plural(invited.length, 'person', 'people')} who did not come yet.`}>
            {rows(invited)}
            <FormError error={leaving ? undefined : remove.error} />
          </Section>
        )}
        {members.isSuccess && there.length === 1 && invited.length === 0 && mayManage && !inviting && (
          <p className={styles.alone}>You are alone here. Invite those who should see and resolve issues with you.</p>
        )}
      </Column>
      <Suspense>
        {leaving && (
          <RemoveMember
            member={leaving}
            isSelf={leaving.user?.id === user.id}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={(keepBuildTokens) => remove.mutate({ member: leaving, keepBuildTokens })}
            onClose={() => setLeaving(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}
