import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { updateOrganization } from '../../features/session/organization-changes.ts';
import { bootQuery } from '../../features/session/boot.ts';
import { useMay } from '../../features/session/organization.ts';
import type { Organization } from '../../features/session/queries.ts';
import * as m from '../../messages/organization.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

type Access = Organization['memberAccess'];

const accesses: readonly Access[] = ['all', 'teams'];

interface Fields {
  readonly name: string;
  readonly memberAccess: Access;
}

export function OrganizationForm({ organization }: { readonly organization: Organization }) {
  const { slug, name, memberAccess } = organization;
  const mayChange = useMay('org:write');
  const queries = useQueryClient();
  const router = useRouter();
  const form = useForm<Fields>({
    start: { name, memberAccess },
    save: async (fields) => {
      await updateOrganization(slug, { ...fields, name: fields.name.trim() });
      await queries.invalidateQueries({ queryKey: bootQuery.queryKey });
      await router.invalidate();
      toast(m.saved);
    },
  });
  if (!mayChange) {
    return (
      <>
        <KeyValue>
          <Pair name={m.name}>
            <span translate="no">{name}</span>
          </Pair>
          <Pair name={m.access}>{m.accesses[memberAccess]}</Pair>
        </KeyValue>
        <Text as="p" tone="faint">
          {m.readOnly}
        </Text>
      </>
    );
  }
  return (
    <Form form={form} submit={m.save}>
      <TextField
        label={m.name}
        maxLength={64}
        autoComplete="off"
        {...form.field('name', { validate: (text) => text.trim() !== '' || m.nameNeeded })}
      />
      <ChoiceGroup label={m.access} layout="lines">
        {accesses.map((each) => (
          <Choice
            key={each}
            type="radio"
            label={m.accesses[each]}
            hint={m.accessHints[each]}
            value={each}
            {...form.field('memberAccess')}
          />
        ))}
      </ChoiceGroup>
    </Form>
  );
}
