import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { PlatformChoice } from '../../features/projects/PlatformChoice.tsx';
import { createProject } from '../../features/projects/changes.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { useTitle } from '../../ui/title.ts';

export function NewProjectPage() {
  useTitle('New project');
  const org = useOrg();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [platform, setPlatform] = useState('javascript-nextjs');
  const [tried, setTried] = useState(false);
  const problem =
    name.trim() === '' ? 'Name the project.' : name.trim().length > 64 ? 'Use at most 64 characters.' : undefined;
  const mutation = useMutation({
    mutationFn: () => createProject(org, { name: name.trim(), platform }),
    onSuccess: async (project) => {
      await queries.invalidateQueries({ queryKey: ['projects', org] });
      await navigate({ to: '/projects/$slug/setup', params: { slug: project.slug } });
    },
  });
  return (
    <>
      <PageBar title="New project" />
      <Column>
        <form
          noValidate
          className={styles.group}
          onSubmit={(event) => {
            event.preventDefault();
            setTried(true);
            if (!problem) mutation.mutate();
          }}
        >
          <TextField
            label="Name"
            focused
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={tried ? problem : undefined}
            hint="One per application or service. Its short form becomes part of issue ids."
          />
          <PlatformChoice value={platform} onChange={setPlatform} />
          <FormError error={mutation.error} />
          <div className={styles.row}>
            <Button type="submit" variant="primary" busy={mutation.isPending}>
              Create project
            </Button>
            <Link to="/projects" className={buttonClass('ghost')}>
              Cancel
            </Link>
          </div>
        </form>
      </Column>
    </>
  );
}
