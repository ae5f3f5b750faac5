import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AddRule } from '../../features/scrubbing/AddRule.tsx';
import {
  type OrganizationScrubbing,
  organizationScrubbingQuery,
  saveOrganizationScrubbing,
} from '../../features/scrubbing/queries.ts';
import { RuleEditor } from '../../features/scrubbing/rule-editor.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/scrubbing.ts';
import { Toggle } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

/** What is scrubbed in all projects of the organisation. */
export function ScrubbingSection() {
  const scrubbing = useQuery(organizationScrubbingQuery(useOrg()));
  return (
    <Section title={m.title} note={m.organizationNote} id="scrubbing">
      <QueryView query={scrubbing} loading={m.loading} failed={m.failed} rows={3} height={44}>
        {(found) => <ScrubbingForm key={JSON.stringify(found)} saved={found} />}
      </QueryView>
    </Section>
  );
}

function ScrubbingForm({ saved }: { readonly saved: OrganizationScrubbing }) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm({
    start: saved,
    save: async (fields) => {
      queries.setQueryData(organizationScrubbingQuery(org).queryKey, await saveOrganizationScrubbing(org, fields));
      toast(m.saved);
    },
  });
  const rules = form.watch('rules');
  const edit = (text: string): void => form.set('rules', text, { shouldDirty: true });
  return (
    <Form form={form} submit={m.save} ready={form.isChanged}>
      <Toggle label={m.removeIp} hint={m.removeIpHint} {...form.field('removeIpAddresses')} />
      <Toggle label={m.pseudonymize} hint={m.pseudonymizeHint} {...form.field('pseudonymizeUsers')} />
      <AddRule rules={rules} onAdd={edit} />
      <RuleEditor
        label={m.rules}
        hint={m.rulesHint}
        value={rules}
        placeholder={'{"applications": {"$string": ["@email"]}}'}
        problems={[]}
        onChange={edit}
      />
    </Form>
  );
}
