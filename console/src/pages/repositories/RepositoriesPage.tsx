import { useQuery } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { Empty } from '../../features/places/Empty.tsx';
import { repositoriesQuery, type Repository } from '../../features/repositories/queries.ts';
import { useMay, useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/repositories.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { DeleteRepository } from './DeleteRepository.tsx';
import { none } from './empty.ts';
import { MappingsSection } from './MappingsSection.tsx';
import { RepositoryForm } from './RepositoryForm.tsx';
import { RepositoryRow } from './RepositoryRow.tsx';

/** Where the code is kept, so that a line of a stack trace can be opened there. */
export function RepositoriesPage() {
  useTitle(m.title, m.settings);
  const may = useMay('project:write');
  // One is for all projects.
  const mayChange = useSession().organization.seesAllProjects && may;
  const repositories = useQuery(repositoriesQuery(useOrg()));
  /** Id of the one that is edited; `new` while one is added. */
  const [editing, setEditing] = useState<string>();
  const [deleting, setDeleting] = useState<Repository>();
  const close = (): void => setEditing(undefined);
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title={m.title}
          note={m.hint}
          actions={
            may &&
            editing !== 'new' &&
            Boolean(repositories.data?.length) && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
                {m.add}
              </Button>
            )
          }
        >
          {editing === 'new' && <RepositoryForm onDone={close} />}
          <QueryView
            query={repositories}
            loading={m.loading}
            failed={m.failed}
            rows={2}
            empty={editing !== 'new' && <Empty of={none} onAct={may ? () => setEditing('new') : undefined} />}
          >
            {(all) => (
              <DataList>
                {all.map((repository) =>
                  editing === repository.id ? (
                    <li key={repository.id}>
                      <RepositoryForm repository={repository} onDone={close} />
                    </li>
                  ) : (
                    <RepositoryRow
                      key={repository.id}
                      repository={repository}
                      mayChange={mayChange}
                      onEdit={() => setEditing(repository.id)}
                      onDelete={() => setDeleting(repository)}
                    />
                  ),
                )}
              </DataList>
            )}
          </QueryView>
        </Section>
        <MappingsSection repositories={repositories.data?.filter((each) => each.configured) ?? []} />
      </Column>
      {deleting && <DeleteRepository repository={deleting} onDone={() => setDeleting(undefined)} />}
    </>
  );
}
