import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { acceptInvitation, invitationQuery, type Invitation } from '../../features/people/queries.ts';
import { signOut } from '../../features/session/queries.ts';
import { rememberOrganization } from '../../features/session/remember-organization.ts';
import * as m from '../../messages/invite.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { describeError, Skeleton } from '../../ui/State.tsx';
import { localTime } from '../../ui/relative-time.ts';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';

const route = getRouteApi('/invite/$token');

/** What a link invites to, and the way in: with an account that exists, or a new one. */
export function InvitePage() {
  useTitle(m.title);
  const { token } = route.useParams();
  const { data, error } = useQuery(invitationQuery(token));
  if (data) return <Invited token={token} invitation={data} />;
  if (!error)
    return (
      <AuthLayout title={m.title}>
        <Skeleton rows={3} height={40} label={m.loading} />
      </AuthLayout>
    );
  return (
    <AuthLayout title={m.broken} note={<span translate="no">{describeError(error).message}</span>}>
      <Link to="/" className={buttonClass('normal')}>
        {m.home}
      </Link>
    </AuthLayout>
  );
}

interface Props {
  readonly token: string;
  readonly invitation: Invitation;
}

function Invited({ token, invitation }: Props) {
  const { organization, email, role, inviterName, expiresAt, hasAccount, signedInAs } = invitation;
  const queries = useQueryClient();
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => queries.resetQueries() });
  const title = m.join({ organization: organization.name });
  const what = { role: m.roles[role], when: localTime(Date.parse(expiresAt)) };
  const invited = inviterName ? m.invites({ name: inviterName, ...what }) : m.invited(what);
  if (!signedInAs && hasAccount)
    return (
      <AuthLayout title={title} note={`${invited} ${m.hasAccount({ email })}`}>
        <Link to="/sign-in" search={{ next: `/invite/${token}` }} className={buttonClass('primary')}>
          {m.signIn}
        </Link>
      </AuthLayout>
    );
  if (signedInAs && signedInAs.toLowerCase() !== email)
    return (
      <AuthLayout title={title} note={`${invited} ${m.otherAccount({ email, self: signedInAs })}`}>
        <FormError error={leave.error} />
        <Button variant="primary" busy={leave.isPending} onClick={() => leave.mutate()}>
          {m.signOut}
        </Button>
      </AuthLayout>
    );
  return (
    <AuthLayout title={title} note={invited}>
      <Accept token={token} invitation={invitation} />
    </AuthLayout>
  );
}

function Accept({ token, invitation: { organization, email, signedInAs, isMember } }: Props) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({
    start: { email, name: '', password: '' },
    save: async ({ name, password }) => {
      await acceptInvitation(token, signedInAs ? {} : { password, ...(name.trim() && { name: name.trim() }) });
      queries.clear();
      rememberOrganization(organization.slug);
      await navigate({ to: '/issues', replace: true });
    },
  });
  return signedInAs ? (
    <Form form={form} submit={m.join({ organization: organization.name })} bare>
      <p>{m.signedIn({ self: <strong translate="no">{signedInAs}</strong> })}</p>
      {isMember && <p>{m.isMember}</p>}
    </Form>
  ) : (
    <Form form={form} submit={m.create} bare>
      <TextField label={m.email} type="email" autoComplete="username" readOnly {...form.field('email')} />
      <TextField
        label={m.name}
        autoComplete="name"
        placeholder={m.namePlaceholder}
        maxLength={100}
        focused
        {...form.field('name')}
      />
      <TextField
        label={m.password}
        type="password"
        autoComplete="new-password"
        hint={m.passwordHint}
        maxLength={128}
        {...form.field('password', { minLength: { value: 8, message: m.passwordTooShort }, required: true })}
      />
    </Form>
  );
}
