import { useQuery } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { repositoriesQuery, type Repository } from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Card, Column, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { DeleteRepository } from './DeleteRepository.tsx';
import { MappingsSection } from './MappingsSection.tsx';
import styles from './RepositoriesPage.module.css';
import { RepositoryForm } from './RepositoryForm.tsx';

/** Where the code lies, so that a line of a stack trace can be opened there. */
export function RepositoriesPage() {
  useTitle('Repositories', 'Settings');
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
          title="Repositories"
          note="Frames, commits and suspects link to the pages of these. Nothing is fetched from them."
          actions={
            editing !== 'new' && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
                Add repository
              </Button>
            )
          }
        >
          {editing === 'new' && <RepositoryForm onDone={close} />}
          {repositories.isPending ? (
            <Skeleton rows={2} height={56} label="Loading repositories" />
          ) : repositories.isError ? (
            <ErrorState
              error={repositories.error}
              retry={() => void repositories.refetch()}
              what="The repositories could not be loaded"
            />
          ) : repositories.data.length === 0 ? (
            editing !== 'new' && <p className={styles.none}>No repository yet.</p>
          ) : (
            <Card>
              <ul>
                {repositories.data.map((repository) => (
                  <li key={repository.id} className={styles.row}>
                    {editing === repository.id ? (
                      <RepositoryForm repository={repository} onDone={close} />
                    ) : (
                      <div className={styles.line}>
                        <div className={styles.what}>
                          <span>
                            <strong>{repository.name}</strong>{' '}
                            {!repository.configured && <Flag kind="plain">named by commits</Flag>}
                          </span>
                          <span className={styles.faint}>
                            {repository.url ?? 'Without an address nothing can be linked.'}
                            {repository.defaultBranch && `, branch ${repository.defaultBranch}`}
                          </span>
                        </div>
                        <Button
                          size="small"
                          variant="ghost"
                          aria-label={`Edit ${repository.name}`}
                          onClick={() => setEditing(repository.id)}
                        >
                          {repository.configured ? 'Edit' : 'Set up'}
                        </Button>
                        <Button
                          size="small"
                          variant="ghost"
                          aria-label={`Delete ${repository.name}`}
                          onClick={() => setDeleting(repository)}
                        >
                          Delete
                        </Button>
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </Section>
        <MappingsSection repositories={repositories.data?.filter((each) => each.configured) ?? []} />
      </Column>
      {deleting && <DeleteRepository repository={deleting} onDone={() => setDeleting(undefined)} />}
    </>
  );
}
