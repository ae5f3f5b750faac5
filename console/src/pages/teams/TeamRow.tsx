import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CloseIcon } from '../../ui/icons.ts';
import { useId, useState } from 'react';
import { joinTeam, leaveTeam, type Member, type Team } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Avatar } from '../../features/triage/Avatar.tsx';
import * as m from '../../messages/teams.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { TeamForm } from './TeamForm.tsx';

/** A team, opened with its members. Members may join and leave, where that does not change what they see; those who manage people add and remove others. */
export function TeamRow({
  team,
  members,
  projects,
  userId,
  mayManage,
  mayJoin,
  onDelete,
}: {
  readonly team: Team;
  readonly members: readonly Member[];
  readonly projects: readonly { readonly slug: string; readonly name: string }[];
  readonly userId: string;
  readonly mayManage: boolean;
  /** Or leave. */
  readonly mayJoin: boolean;
  readonly onDelete: () => void;
}) {
  const org = useOrg();
  const id = useId();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState(false);
  const own = members.filter((member) => member.teams.includes(team.slug));
  const others = members.filter((member) => !member.teams.includes(team.slug));
  const self = members.find(({ user }) => user?.id === userId);
  const move = useMutation({
    mutationFn: ({ member, into }: { member: Member; into: boolean }) =>
      (into ? joinTeam : leaveTeam)(org, member.id, team.slug),
    onSuccess: async (_, { member, into }) => {
      const { name } = member;
      const moved = { name, team: team.slug };
      const done =
        member === self ? (into ? m.youJoined : m.youLeft)({ team: team.slug }) : (into ? m.joined : m.left)(moved);
      toast(done, {
        action: { label: m.undo, run: () => move.mutate({ member, into: !into }) },
      });
      await Promise.all(['teams', 'members'].map((key) => queries.invalidateQueries({ queryKey: [key, org] })));
    },
    onError: (error) => toast(error.message, { kind: 'failed' }),
  });
  return (
    <DataRow
      lead={<Avatar who={{ type: 'team', name: team.name }} />}
      title={
        <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
          <strong translate="no">{team.name}</strong>
          <Text tone="faint">
            <code>#{team.slug}</code>
          </Text>
        </Disclosure>
      }
      facts={
        <Facts>
          {m.members({ count: team.memberCount })}
          {team.projects.length > 0 && (
            <span translate="no">{team.projects.map((project) => project.name).join(', ')}</span>
          )}
        </Facts>
      }
      actions={
        self &&
        mayJoin && (
          <Button
            size="small"
            variant={team.isMember ? 'ghost' : 'normal'}
            busy={move.isPending && move.variables.member === self}
            onClick={() => move.mutate({ member: self, into: !team.isMember })}
            aria-label={(team.isMember ? m.leaveOf : m.joinOf)({ team: team.slug })}
          >
            {team.isMember ? m.leave : m.join}
          </Button>
        )
      }
    >
      {open && (
        <div id={id}>
          {editing ? (
            <TeamForm team={team} projects={projects} onDone={() => setEditing(false)} />
          ) : (
            <Stack gap={8}>
              {own.length === 0 ? (
                <Text as="p" tone="faint" small>
                  {m.noMembers}
                </Text>
              ) : (
                <DataList open compact label={m.membersOf({ team: team.slug })}>
                  {own.map((member) => (
                    <DataRow
                      key={member.id}
                      lead={<Avatar who={{ type: 'user', name: member.name, email: member.email }} />}
                      title={
                        <span translate="no">
                          {member.name}{' '}
                          <Text tone="faint" small>
                            {member.email}
                          </Text>
                        </span>
                      }
                      actions={
                        mayManage && (
                          <IconButton
                            size="small"
                            label={m.removeFrom({ name: member.name, team: team.slug })}
                            icon={<CloseIcon size={14} />}
                            onClick={() => move.mutate({ member, into: false })}
                          />
                        )
                      }
                    />
                  ))}
                </DataList>
              )}
              {mayManage && (
                <Inline gap={4}>
                  {others.length > 0 && (
                    <InlineSelect
                      label={m.addTo({ team: team.slug })}
                      value=""
                      disabled={move.isPending}
                      onChange={(event) => {
                        const member = others.find((each) => each.id === event.target.value);
                        if (member) move.mutate({ member, into: true });
                      }}
                    >
                      <option value="">{m.add}</option>
                      {others.map((member) => (
                        <option key={member.id} value={member.id} translate="no">
                          {member.name}
                        </option>
                      ))}
                    </InlineSelect>
                  )}
                  <Button size="small" variant="ghost" onClick={() => setEditing(true)}>
                    {m.edit}
                  </Button>
                  <Button size="small" variant="ghost" onClick={onDelete}>
                    {m.remove}
                  </Button>
                </Inline>
              )}
            </Stack>
          )}
        </div>
      )}
    </DataRow>
  );
}
