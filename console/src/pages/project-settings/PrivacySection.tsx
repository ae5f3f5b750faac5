import { useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-settings.ts';
import { TextArea, Toggle } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { useForm } from '../../ui/use-form.ts';
import { saveProject, useSaveProject } from './save-project.ts';

const toText = (list: readonly string[]): string => list.join('\n');
const toList = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((each) => each.trim())
    .filter(Boolean);

/** What is scrubbed from events before they are stored, and who may send them. Toggles save immediately, lists with the button. */
export function PrivacySection({ project }: { readonly project: Project }) {
  const org = useOrg();
  const may = useMay('project:write');
  const queries = useQueryClient();
  const { settings } = project;
  const toggle = useSaveProject(project);
  const form = useForm({
    start: {
      sensitiveFields: toText(settings.sensitiveFields),
      safeFields: toText(settings.safeFields),
      allowedDomains: toText(settings.allowedDomains),
    },
    save: ({ sensitiveFields, safeFields, allowedDomains }) =>
      saveProject(queries, org, project, {
        settings: {
          sensitiveFields: toList(sensitiveFields),
          safeFields: toList(safeFields),
          allowedDomains: toList(allowedDomains),
        },
      }),
  });
  const flag = (
    name:
      | 'storeIpAddresses'
      | 'pseudonymizeUsers'
      | 'scrubData'
      | 'scrubDefaults'
      | 'largeTextAttachments'
      | 'logExceptions',
  ) => ({
    checked:
      toggle.isPending && toggle.variables.settings?.[name] !== undefined
        ? toggle.variables.settings[name]
        : settings[name],
    disabled: toggle.isPending || !may,
    onChange: (event: { target: { checked: boolean } }) =>
      toggle.mutate({ settings: { [name]: event.target.checked } }),
  });
  return (
    <Section title={m.privacy} note={m.privacyHint}>
      <Toggle label={m.storeIp} hint={m.storeIpHint} {...flag('storeIpAddresses')} />
      <Toggle label={m.pseudonymize} hint={m.pseudonymizeHint} {...flag('pseudonymizeUsers')} />
      <Toggle label={m.scrub} hint={m.scrubHint} {...flag('scrubData')} />
      <Toggle label={m.scrubDefaults} hint={m.scrubDefaultsHint} {...flag('scrubDefaults')} />
      <Toggle label={m.largeText} hint={m.largeTextHint} {...flag('largeTextAttachments')} />
      <Toggle label={m.logExceptions} hint={m.logExceptionsHint} {...flag('logExceptions')} />
      <FormError error={toggle.error} />
      <Form form={form} submit={m.save} bare ready={form.isChanged} fixed={!may}>
        <TextArea
          label={m.scrubFields}
          hint={m.scrubFieldsHint}
          placeholder="iban"
          spellCheck={false}
          {...form.field('sensitiveFields')}
        />
        <TextArea
          label={m.safeFields}
          hint={m.safeFieldsHint}
          placeholder="token_count"
          spellCheck={false}
          {...form.field('safeFields')}
        />
        <TextArea
          label={m.domains}
          hint={m.domainsHint}
          placeholder="*.example.com"
          spellCheck={false}
          {...form.field('allowedDomains')}
        />
      </Form>
    </Section>
  );
}
