import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon, TeamsIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { deleteTeam, membersQuery, type Team, teamsQuery } from '../../features/people/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { EmptyState } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { TeamForm } from './TeamForm.tsx';
import { TeamRow } from './TeamRow.tsx';

/** Who works together, and on which projects. Issues are assigned to teams as to people. */
export function TeamsPage() {
  useTitle('Teams', 'Settings');
  const org = useOrg();
  const { organization, user } = useSession();
  const queries = useQueryClient();
  const teams = useQuery(teamsQuery(org));
  const members = useQuery(membersQuery(org));
  const projects = useQuery(projectsQuery(org));
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<Team>();
  const mayManage = organization.access.includes('member:write');
  const remove = useMutation({
    mutationFn: (slug: string) => deleteTeam(org, slug),
    onSuccess: async (_, slug) => {
      setDeleting(undefined);
      toast(`Team #${slug} deleted`);
      await Promise.all(['teams', 'members'].map((key) => queries.invalidateQueries({ queryKey: [key, org] })));
    },
  });
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title="Teams"
          note="Issues can be assigned to a team, rules of ownership name it, and a comment that says #team tells everybody in it."
          actions={
            mayManage &&
            !making && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => setMaking(true)}>
                New team
              </Button>
            )
          }
        >
          {making && <TeamForm projects={projects.data ?? []} onDone={() => setMaking(false)} />}
          <QueryView
            query={teams}
            loading="Loading teams"
            failed="The teams could not be loaded"
            empty={
              !making && (
                <EmptyState title="No team yet" icon={<TeamsIcon size={24} />}>
                  <p>
                    {mayManage
                      ? 'Make one for each group of people that takes care of something together.'
                      : 'Owners and admins make teams.'}
                  </p>
                </EmptyState>
              )
            }
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
                    mayManage={mayManage}
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
          title={`Delete the team #${deleting.slug}?`}
          action="Delete team"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.slug)}
          onClose={() => setDeleting(undefined)}
        >
          <p>
            Its issues become unassigned, and ownership rules no longer assign to it. Its members stay in the
            organisation.
          </p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
