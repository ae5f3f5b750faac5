import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { InviteIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import {
  type Invited,
  type Member,
  membersQuery,
  removeMember,
  renewInvitation,
  type Role,
  teamsQuery,
  updateMember,
} from '../../features/people/queries.ts';
import { rolesFor } from '../../features/people/roles.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/members.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { InviteForm } from './InviteForm.tsx';
import { InviteLink } from './InviteLink.tsx';
import { MemberRow } from './MemberRow.tsx';
import { RemoveMember } from './RemoveMember.tsx';

/** Who works in the organisation, what they may do, and who is invited. */
export function MembersPage() {
  useTitle(m.title, m.settings);
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
  const mayInvite = organization.access.includes('member:invite');
  // With access by team, a manager's power ends at their own teams.
  const ownTeams = (teams.data ?? []).filter(({ isMember }) => organization.seesAllProjects || isMember);
  const isOurs = (member: Member): boolean =>
    organization.seesAllProjects ||
    (member.teams.length > 0 && member.teams.every((slug) => ownTeams.some((team) => team.slug === slug)));
  const refresh = () => queries.invalidateQueries({ queryKey: ['members', org] });
  const isSelf = (member: Member): boolean => member.user?.id === user.id;

  const change = useMutation({
    mutationFn: ({ member, role }: { readonly member: Member; readonly role: Role }) =>
      updateMember(org, member.id, { role }),
    onSuccess: async ({ role }, { member }) => {
      toast(m.roleChanged[role]({ name: member.name }), {
        action: { label: m.undo, run: () => change.mutate({ member, role: member.role }) },
      });
      await queries.invalidateQueries({ queryKey: isSelf(member) ? [] : ['members', org] });
    },
    onError: (error) => toast(error.message, { kind: 'failed' }),
  });
  const remove = useMutation({
    mutationFn: ({ member, keepBuildTokens = false }: { member: Member; keepBuildTokens?: boolean }) =>
      removeMember(org, isSelf(member) ? 'me' : member.id, keepBuildTokens),
    onSuccess: async (_, { member }) => {
      setLeaving(undefined);
      if (fresh?.id === member.id) setFresh(undefined);
      if (isSelf(member)) {
        queries.clear();
        await navigate({ to: '/', replace: true, reloadDocument: true });
        return;
      }
      toast(member.pending ? m.revoked : m.removed({ name: member.name }));
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
    onError: (error) => toast(m.noNewLink({ reason: error.message }), { kind: 'failed' }),
  });

  const invited = members.data?.filter(({ pending }) => pending) ?? [];
  const ask = (member: Member): void => {
    remove.reset();
    if (member.pending) remove.mutate({ member });
    else setLeaving(member);
  };
  const rows = (list: readonly Member[]) => (
    <DataList>
      {list.map((member) => {
        const changing = change.isPending && change.variables.member.id === member.id;
        return (
          <MemberRow
            key={member.id}
            member={member}
            role={changing ? change.variables.role : member.role}
            choices={mayManage && isOurs(member) ? rolesFor(organization.role ?? '', member.role) : []}
            isSelf={isSelf(member)}
            isOwn={member.pending && !mayManage}
            changing={changing}
            renewing={renew.isPending && renew.variables.id === member.id}
            onRole={(role) => change.mutate({ member, role })}
            onRenew={() => renew.mutate(member)}
            onRemove={() => ask(member)}
          />
        );
      })}
    </DataList>
  );
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title={m.title}
          note={mayManage ? undefined : mayInvite ? m.hintInvite : m.hint}
          actions={
            mayInvite &&
            !inviting && (
              <Button size="small" icon={<InviteIcon size={14} />} onClick={() => setInviting(true)}>
                {m.invite}
              </Button>
            )
          }
        >
          {inviting && (
            <InviteForm
              teams={ownTeams}
              needsTeam={!organization.seesAllProjects}
              ownRole={organization.role ?? ''}
              onCancel={() => setInviting(false)}
              onInvited={(one) => {
                setFresh(one);
                setInviting(false);
              }}
            />
          )}
          {fresh && <InviteLink invited={fresh} onClose={() => setFresh(undefined)} />}
          <QueryView query={members} loading={m.loading} failed={m.failed}>
            {(all) => (
              <>
                {rows(all.filter(({ pending }) => !pending))}
                {all.length === 1 && mayInvite && !inviting && <Text as="p">{m.alone}</Text>}
              </>
            )}
          </QueryView>
        </Section>
        {invited.length > 0 && (
          <Section title={m.invited} note={m.pending({ count: invited.length })}>
            {rows(invited)}
            <FormError error={leaving ? undefined : remove.error} />
          </Section>
        )}
      </Column>
      {leaving && (
        <RemoveMember
          member={leaving}
          isSelf={isSelf(leaving)}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={(keepBuildTokens) => remove.mutate({ member: leaving, keepBuildTokens })}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}
