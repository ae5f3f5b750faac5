import { useQueryClient } from '@tanstack/react-query';
import { saveSecurity, securityQuery, type SecuritySettings } from '../../features/security/queries.ts';
import { bootQuery } from '../../features/session/boot.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/security.ts';
import { Toggle } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

export function SharingForm({ settings }: { readonly settings: SecuritySettings }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { shareLinks, memberInvitations } = settings;
  const form = useForm({
    start: { shareLinks, memberInvitations },
    save: async (fields) => {
      queries.setQueryData(securityQuery(org).queryKey, await saveSecurity(org, fields));
      // Issues offer links, and the members' page invitations, by what the session says.
      await queries.invalidateQueries({ queryKey: bootQuery.queryKey });
      toast(m.saved);
    },
  });
  return (
    <Form form={form} submit={m.save} ready={form.isChanged}>
      <Toggle label={m.shareLinks} hint={m.shareLinksHint} {...form.field('shareLinks')} />
      <Toggle label={m.memberInvitations} hint={m.memberInvitationsHint} {...form.field('memberInvitations')} />
    </Form>
  );
}
