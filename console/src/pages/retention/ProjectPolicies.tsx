import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../../features/projects/queries.ts';
import {
  type ProjectRetention,
  projectRetentionPreviewQuery,
  projectRetentionQuery,
  type ProjectRetentionUpdate,
  retentionQuery,
  saveProjectRetention,
} from '../../features/retention/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/retention.ts';
import { SelectField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { byteSize, exactNumber } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
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
  const form = useForm<ChoiceFields>({
    start: choiceFieldsOf(retention),
    save: async (fields) => {
      await saveProjectRetention(org, project, choicesIn(fields));
      await queries.invalidateQueries({ queryKey: projectRetentionQuery(org, project).queryKey });
      await queries.invalidateQueries({ queryKey: retentionQuery(org).queryKey, exact: true });
      toast(m.saved);
    },
  });
  const fields = form.watch();
  return (
    <Form form={form} submit={m.save} ready={form.isChanged} fixed={!mayChange}>
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
      {form.isChanged && <Preview project={project} update={choicesIn(fields)} />}
    </Form>
  );
}

function Preview({ project, update }: { readonly project: string; readonly update: ProjectRetentionUpdate }) {
  const { data } = useQuery(projectRetentionPreviewQuery(useOrg(), project, update));
  if (!data) return <Text>{m.previewing}</Text>;
  const going = data.classes.filter(({ freedRows }) => freedRows > 0);
  return (
    <div role="status">
      {going.length === 0 && <Text>{m.deletesNothing}</Text>}
      {going.map(({ name, freedBytes, freedRows }) => (
        <Text key={name} as="p" tone="warning">
          {m.deletesRows({ name: m.classes[name], rows: exactNumber(freedRows), size: byteSize(freedBytes) })}
        </Text>
      ))}
    </div>
  );
}
