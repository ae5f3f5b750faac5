import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CloseIcon } from '../../ui/icons.ts';
import { useId, useState } from 'react';
import { joinTeam, leaveTeam, type Member, type Team } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Avatar } from '../../features/triage/Avatar.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { plural } from '../../ui/numbers.ts';
import { Facts, Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { TeamForm } from './TeamForm.tsx';

/** A team, opened with its people. Everybody may join and leave; who manages people puts others in. */
export function TeamRow({
  team,
  members,
  projects,
  userId,
  mayManage,
  onDelete,
}: {
  readonly team: Team;
  readonly members: readonly Member[];
  readonly projects: readonly { readonly slug: string; readonly name: string }[];
  readonly userId: string;
  readonly mayManage: boolean;
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
      const who = member === self ? 'You are' : `${member.name} is`;
      toast(`${who} ${into ? 'in' : 'no longer in'} #${team.slug}`, {
        action: { label: 'Undo', run: () => move.mutate({ member, into: !into }) },
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
          <strong>{team.name}</strong>
          <Text tone="faint">
            <code>#{team.slug}</code>
          </Text>
        </Disclosure>
      }
      facts={
        <Facts>
          {plural(team.memberCount, 'member')}
          {team.projects.map((project) => project.name).join(', ')}
        </Facts>
      }
      actions={
        self && (
          <Button
            size="small"
            variant={team.isMember ? 'ghost' : 'normal'}
            busy={move.isPending && move.variables.member === self}
            onClick={() => move.mutate({ member: self, into: !team.isMember })}
            aria-label={`${team.isMember ? 'Leave' : 'Join'} #${team.slug}`}
          >
            {team.isMember ? 'Leave' : 'Join'}
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
                  No members yet.
                </Text>
              ) : (
                <DataList open compact label={`Members of #${team.slug}`}>
                  {own.map((member) => (
                    <DataRow
                      key={member.id}
                      lead={<Avatar who={{ type: 'user', name: member.name, email: member.email }} />}
                      title={
                        <>
                          {member.name}{' '}
                          <Text tone="faint" small>
                            {member.email}
                          </Text>
                        </>
                      }
                      actions={
                        mayManage && (
                          <IconButton
                            size="small"
                            label={`Take ${member.name} out of #${team.slug}`}
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
                      label={`Add a member to #${team.slug}`}
                      value=""
                      disabled={move.isPending}
                      onChange={(event) => {
                        const member = others.find((each) => each.id === event.target.value);
                        if (member) move.mutate({ member, into: true });
                      }}
                    >
                      <option value="">Add member…</option>
                      {others.map((member) => (
                        <option key={member.id} value={member.id}>
                          {member.name}
                        </option>
                      ))}
                    </InlineSelect>
                  )}
                  <Button size="small" variant="ghost" onClick={() => setEditing(true)}>
                    Edit team
                  </Button>
                  <Button size="small" variant="ghost" onClick={onDelete}>
                    Delete team
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
