import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { PlatformChoice } from '../../features/projects/PlatformChoice.tsx';
import { createProject } from '../../features/projects/changes.ts';
import { usualPlatform, type PlatformId } from '../../features/projects/platforms.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/projects.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';

export function NewProjectPage() {
  useTitle(m.newProject);
  const org = useOrg();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({
    pressable: true,
    start: { name: '', platform: usualPlatform as PlatformId },
    save: async ({ name, platform }) => {
      const project = await createProject(org, { name: name.trim(), platform });
      await queries.invalidateQueries({ queryKey: ['projects', org] });
      await navigate({ to: '/projects/$slug/setup', params: { slug: project.slug } });
    },
  });
  return (
    <>
      <PageBar title={m.newProject} />
      <Column>
        <Form
          form={form}
          submit={m.create}
          bare
          actions={
            <Link to="/projects" className={buttonClass('ghost')}>
              {m.cancel}
            </Link>
          }
        >
          <TextField
            label={m.name}
            focused
            autoComplete="off"
            hint={m.nameHint}
            {...form.field('name', {
              validate: (name) => (name.trim() === '' ? m.nameMissing : name.trim().length <= 64 || m.nameTooLong),
            })}
          />
          <PlatformChoice value={form.watch('platform')} onChoose={(id) => form.set('platform', id)} />
        </Form>
      </Column>
    </>
  );
}
