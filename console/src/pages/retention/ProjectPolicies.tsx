import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../../features/projects/queries.ts';
import {
  type ProjectRetention,
  projectRetentionPreviewQuery,
  projectRetentionQuery,
  retentionQuery,
  saveProjectRetention,
} from '../../features/retention/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/retention.ts';
import { SelectField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { DeleteAsk, useDeleteAsk } from './delete-ask.tsx';
import { PolicyPreview } from './PolicyPreview.tsx';
import { type ChoiceFields, choiceFieldsOf, choicesIn } from './policies.ts';

/** Which policy a project has for each class of data. */
export function ProjectPolicies() {
  const org = useOrg();
  const { data: projects = [] } = useQuery(projectsQuery(org));
  const [slug, setSlug] = useState('');
  return (
    <Section title={m.byProject} note={m.byProjectNote}>
      <SelectField label={m.project} value={slug} onChange={({ currentTarget }) => setSlug(currentTarget.value)}>
        <option value="">{m.chooseProject}</option>
        {projects.map((project) => (
          <option key={project.id} value={project.slug} translate="no">
            {project.name}
          </option>
        ))}
      </SelectField>
      {slug !== '' && <Chosen key={slug} project={slug} />}
    </Section>
  );
}

function Chosen({ project }: { readonly project: string }) {
  const found = useQuery(projectRetentionQuery(useOrg(), project));
  return (
    <QueryView query={found} loading={m.loading} failed={m.failed} rows={6} height={64}>
      {(retention) => <ChoiceForm key={JSON.stringify(retention)} project={project} retention={retention} />}
    </QueryView>
  );
}

function ChoiceForm({ project, retention }: { readonly project: string; readonly retention: ProjectRetention }) {
  const org = useOrg();
  const queries = useQueryClient();
  const mayChange = useMay('project:admin');
  const { ask, answer } = useDeleteAsk();
  const form = useForm<ChoiceFields>({
    start: choiceFieldsOf(retention),
    save: async (fields) => {
      const update = choicesIn(fields);
      const { classes } = await queries.fetchQuery(projectRetentionPreviewQuery(org, project, update));
      const deletes = classes.some(({ freedRows }) => freedRows > 0);
      if (deletes && !(await ask())) return false;
      await saveProjectRetention(org, project, update);
      await queries.invalidateQueries({ queryKey: projectRetentionQuery(org, project).queryKey });
      await queries.invalidateQueries({ queryKey: retentionQuery(org).queryKey, exact: true });
      toast(m.saved);
      return true;
    },
  });
  const fields = form.watch();
  return (
    <>
      <Form form={form} submit={m.saveChoice} ready={form.isChanged} fixed={!mayChange}>
        {retention.held && <Text as="p">{m.held}</Text>}
        {retention.classes.map(({ name }) => (
          <SelectField key={name} label={m.classes[name]} {...form.field(name)}>
            <option value="">{m.asOthers}</option>
            {retention.policies.map((policy) => (
              <option key={policy.name} value={policy.name}>
                {m.policyOf({ name: policy.name, days: exactNumber(policy.days) })}
              </option>
            ))}
          </SelectField>
        ))}
        {form.isChanged && <PolicyPreview project={project} update={choicesIn(fields)} />}
      </Form>
      {answer && (
        <DeleteAsk answer={answer}>
          <PolicyPreview project={project} update={choicesIn(fields)} />
        </DeleteAsk>
      )}
    </>
  );
}
