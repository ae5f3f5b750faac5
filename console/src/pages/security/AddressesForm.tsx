import { useQueryClient } from '@tanstack/react-query';
import { saveSecurity, securityQuery, type SecuritySettings } from '../../features/security/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/security.ts';
import { TextArea } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { verbatim } from '../../ui/verbatim.ts';

const example = verbatim`203.0.113.0/24
2001:db8::/32`;

const entriesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((entry) => entry !== '');

/** The addresses and networks from which the organisation is used, a line each. */
export function AddressesForm({ settings }: { readonly settings: SecuritySettings }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { allowedAddresses, yourAddress } = settings;
  const form = useForm({
    start: { addresses: allowedAddresses.join('\n') },
    save: async ({ addresses }) => {
      const saved = await saveSecurity(org, { allowedAddresses: entriesOf(addresses) });
      queries.setQueryData(securityQuery(org).queryKey, saved);
      toast(m.saved);
    },
  });
  return (
    <Form form={form} submit={m.save} ready={form.isChanged}>
      <TextArea
        label={m.allowed}
        hint={m.allowedHint({ address: <code key="address">{yourAddress}</code> })}
        rows={Math.min(12, Math.max(3, allowedAddresses.length + 1))}
        placeholder={example}
        spellCheck={false}
        autoComplete="off"
        {...form.field('addresses')}
      />
    </Form>
  );
}
