import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { acceptInvitation, invitationQuery, type Invitation } from '../../features/people/queries.ts';
import { signOut } from '../../features/session/queries.ts';
import { rememberOrganization } from '../../features/session/remember-organization.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { describeError, Skeleton } from '../../ui/State.tsx';
import { localTime } from '../../ui/relative-time.ts';
import { useTitle } from '../../ui/title.ts';

const route = getRouteApi('/invite/$token');

/** What a link invites to, and the way in: with an account that is there, or a new one. */
export function InvitePage() {
  useTitle('Invitation');
  const { token } = route.useParams();
  const invitation = useQuery(invitationQuery(token));
  if (invitation.isPending) {
    return (
      <AuthLayout title="Invitation">
        <Skeleton rows={3} height={40} label="Loading the invitation" />
      </AuthLayout>
    );
  }
  if (invitation.isError) {
    return (
      <AuthLayout title="This invitation does not work" note={describeError(invitation.error).message}>
        <div className={styles.form}>
          <Link to="/" className={buttonClass('normal')}>
            Go to Culprit
          </Link>
        </div>
      </AuthLayout>
    );
  }
  return <Accept token={token} invitation={invitation.data} />;
}

const article = (role: string): string => (role === 'member' ? 'a member' : `an ${role}`);

function Accept({ token, invitation }: { readonly token: string; readonly invitation: Invitation }) {
  const { organization, email, role, inviterName, expiresAt, hasAccount, signedInAs, isMember } = invitation;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () =>
      acceptInvitation(token, signedInAs ? {} : { password, ...(name.trim() && { name: name.trim() }) }),
    onSuccess: async () => {
      queries.clear();
      rememberOrganization(organization.slug);
      await navigate({ to: '/issues', replace: true });
    },
  });
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => queries.resetQueries(),
  });
  const note = `${inviterName ?? 'Somebody'} invites you to join as ${article(role)}. The link is good until ${localTime(Date.parse(expiresAt))}.`;
  const title = `Join ${organization.name}`;
  if (!signedInAs && hasAccount) {
    return (
      <AuthLayout
        title={title}
        note={`${note} There is an account with the address ${email}: sign in with it to join.`}
      >
        <div className={styles.form}>
          <Link to="/sign-in" search={{ next: `/invite/${token}` }} className={buttonClass('primary')}>
            Sign in
          </Link>
        </div>
      </AuthLayout>
    );
  }
  if (signedInAs && signedInAs.toLowerCase() !== email) {
    return (
      <AuthLayout title={title} note={`${note} It is for ${email}, and you are signed in as ${signedInAs}.`}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            leave.mutate();
          }}
        >
          <FormError error={leave.error} />
          <Button type="submit" variant="primary" className={styles.submit} busy={leave.isPending}>
            Sign out to join
          </Button>
        </form>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={title} note={note}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          accept.mutate();
        }}
      >
        {signedInAs ? (
          <p>
            You are signed in as <strong>{signedInAs}</strong>.
            {isMember && ' You are a member already; your role stays.'}
          </p>
        ) : (
          <>
            <TextField label="E-mail" type="email" autoComplete="username" value={email} readOnly />
            <TextField
              label="Name"
              autoComplete="name"
              placeholder="Jane Doe"
              maxLength={100}
              focused
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <TextField
              label="Password"
              type="password"
              autoComplete="new-password"
              hint="At least 8 characters, and none that many people have."
              maxLength={128}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </>
        )}
        <FormError error={accept.error} />
        <Button
          type="submit"
          variant="primary"
          className={styles.submit}
          busy={accept.isPending}
          disabled={!signedInAs && password.length < 8}
        >
          {signedInAs ? `Join ${organization.name}` : 'Create account and join'}
        </Button>
      </form>
    </AuthLayout>
  );
}
