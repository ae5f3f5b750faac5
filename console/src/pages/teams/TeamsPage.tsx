import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { deleteTeam, membersQuery, type Team, teamsQuery } from '../../features/people/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useMay, useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/teams.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { none, noneForMembers } from './empty.ts';
import { TeamForm } from './TeamForm.tsx';
import { TeamRow } from './TeamRow.tsx';

/** People who work together, and on which projects. Issues are assigned to teams as to people. */
export function TeamsPage() {
  useTitle(m.title, m.settings);
  const org = useOrg();
  const { organization, user } = useSession();
  const queries = useQueryClient();
  const teams = useQuery(teamsQuery(org));
  const members = useQuery(membersQuery(org));
  const projects = useQuery(projectsQuery(org));
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<Team>();
  const mayManage = useMay('member:write');
  const mayChange = useMay('event:write');
  const remove = useMutation({
    mutationFn: (slug: string) => deleteTeam(org, slug),
    onSuccess: async (_, slug) => {
      setDeleting(undefined);
      toast(m.deleted({ team: slug }));
      await Promise.all(['teams', 'members'].map((key) => queries.invalidateQueries({ queryKey: [key, org] })));
    },
  });
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title={m.title}
          note={m.hint}
          actions={
            mayManage &&
            !making &&
            Boolean(teams.data?.length) && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => setMaking(true)}>
                {m.newTeam}
              </Button>
            )
          }
        >
          {making && <TeamForm projects={projects.data ?? []} onDone={() => setMaking(false)} />}
          <QueryView
            query={teams}
            loading={m.loading}
            failed={m.failed}
            empty={!making && <Empty of={mayManage ? none : noneForMembers} onAct={() => setMaking(true)} />}
          >
            {(all) => (
              <DataList>
                {all.map((team) => (
                  <TeamRow
                    key={team.id}
                    team={team}
                    members={(members.data ?? []).filter(({ pending }) => !pending)}
                    projects={projects.data ?? []}
                    userId={user.id}
                    mayManage={mayManage && (organization.seesAllProjects || team.isMember)}
                    mayJoin={mayChange && (organization.seesAllProjects || team.isMember)}
                    onDelete={() => setDeleting(team)}
                  />
                ))}
              </DataList>
            )}
          </QueryView>
        </Section>
      </Column>
      {deleting && (
        <Confirm
          title={m.deleteAsk({ team: deleting.slug })}
          action={m.remove}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.slug)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{m.deleteWhat}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
