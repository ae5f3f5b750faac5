import { useQueryClient } from '@tanstack/react-query';
import { type Provider, requireProvider } from '../../../features/providers/queries.ts';
import { useOrg, useSession } from '../../../features/session/organization.ts';
import * as m from '../../../messages/sign-in-providers.ts';
import { SelectField } from '../../../ui/Field.tsx';
import { Form } from '../../../ui/Form.tsx';
import { Section } from '../../../ui/Page.tsx';
import { toast } from '../../../ui/toasts.ts';
import { useForm } from '../../../ui/use-form.ts';

/** Through which provider members must sign in, if any. */
export function RequiredProvider({ providers }: { readonly providers: readonly Provider[] }) {
  const org = useOrg();
  const { organization } = useSession();
  const queries = useQueryClient();
  const form = useForm({
    start: { provider: providers.find(({ required }) => required)?.id ?? '' },
    save: async ({ provider }) => {
      await requireProvider(org, provider || null);
      await queries.invalidateQueries({ queryKey: ['sign-in-providers', org] });
      toast(m.requiredSaved);
    },
  });
  return (
    <Section title={m.requirements} note={m.requiredNote({ organization: organization.name })}>
      <Form form={form} submit={m.save} ready={form.isChanged}>
        <SelectField label={m.requiredProvider} {...form.field('provider')}>
          <option value="">{m.anyWay}</option>
          {providers
            .filter(({ enabled }) => enabled)
            .map(({ id, name }) => (
              <option key={id} value={id} translate="no">
                {name}
              </option>
            ))}
        </SelectField>
      </Form>
    </Section>
  );
}
