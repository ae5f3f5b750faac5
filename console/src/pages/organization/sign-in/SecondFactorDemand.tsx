import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  saveSignInPolicy,
  type SignInPolicy,
  signInPolicyQuery,
  twoFactorQuery,
} from '../../../features/factors/queries.ts';
import { useOrg, useSession } from '../../../features/session/organization.ts';
import * as m from '../../../messages/second-factor-demand.ts';
import { Toggle } from '../../../ui/Field.tsx';
import { Form } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Section } from '../../../ui/Page.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Text } from '../../../ui/Text.tsx';
import { toast } from '../../../ui/toasts.ts';
import { useForm } from '../../../ui/use-form.ts';

const toAccount = (text: ReactNode) => <Link to="/settings/account">{text}</Link>;

/** Whether members need a second factor, for owners. */
export function SecondFactorDemand() {
  const { organization } = useSession();
  const policy = useQuery(signInPolicyQuery(useOrg()));
  const own = useQuery(twoFactorQuery);
  return (
    <Section title={m.title} note={m.note({ organization: organization.name })}>
      <QueryView query={[policy, own]} loading={m.loading} failed={m.failed} rows={1} height={44}>
        {([found, { hasShown }]) => (
          <DemandForm key={String(found.requireSecondFactor)} policy={found} hasShown={hasShown} />
        )}
      </QueryView>
    </Section>
  );
}

function DemandForm({
  policy: { requireSecondFactor, membersWithout },
  hasShown,
}: {
  readonly policy: SignInPolicy;
  readonly hasShown: boolean;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm({
    start: { required: requireSecondFactor },
    save: async ({ required }) => {
      queries.setQueryData(signInPolicyQuery(org).queryKey, await saveSignInPolicy(org, required));
      toast(m.saved);
    },
  });
  const isHindered = !requireSecondFactor && !hasShown;
  return (
    <>
      {isHindered && <Notice tone="info">{m.yourselfFirst({ link: toAccount })}</Notice>}
      <Form form={form} submit={m.save} ready={form.isChanged} fixed={isHindered}>
        <Toggle label={m.require} hint={m.requireHint} {...form.field('required')} />
        <Text as="p" tone="faint">
          {m.without({ count: membersWithout })}
        </Text>
      </Form>
    </>
  );
}
