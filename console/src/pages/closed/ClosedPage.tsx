import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { bootQuery } from '../../features/session/boot.ts';
import { type ClosedOrganization, type Organization, signOut } from '../../features/session/queries.ts';
import { rememberOrganization } from '../../features/session/remember-organization.ts';
import { startOf, waysInQuery } from '../../features/session/ways-in.ts';
import * as m from '../../messages/closed.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { Factors } from './Factors.tsx';

/** Why an organisation is closed to the session, and what opens it without a new sign-in. */
export function ClosedPage() {
  useTitle(m.title);
  const boot = useQuery(bootQuery);
  return (
    <QueryView query={boot} loading={m.loading} failed={m.failed} rows={3}>
      {({ closedOrganizations, organizations }) => <Closed closed={closedOrganizations} open={organizations} />}
    </QueryView>
  );
}

function Closed({
  closed,
  open,
}: {
  readonly closed: readonly ClosedOrganization[];
  readonly open: readonly Organization[];
}) {
  const queries = useQueryClient();
  const router = useRouter();
  const enter = async (slug?: string): Promise<void> => {
    if (slug !== undefined) rememberOrganization(slug);
    queries.clear();
    await router.navigate({ to: '/' });
  };
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => enter() });
  const [first] = closed;
  const wanted = new Set(closed.flatMap(({ providerId }) => providerId ?? []));
  const { data: ways = [] } = useQuery({ ...waysInQuery, enabled: wanted.size > 0 });
  const reason = ({ name, reason: kind }: ClosedOrganization): string => m.reasons[kind]({ organization: name });
  const [title, note] =
    first === undefined
      ? [m.open]
      : closed.length === 1
        ? [reason(first), m.hints[first.reason]]
        : [m.title, closed.map((one) => `${reason(one)}.`).join(' ')];
  return (
    <AuthLayout title={title} note={note}>
      {closed.some((one) => one.reason === 'second_factor') && <Factors onShown={() => enter(first?.slug)} />}
      <Stack gap={8}>
        <FormError error={leave.error} />
        {ways
          .filter(({ id }) => wanted.has(id))
          .map((way) => (
            <a key={way.id} className={buttonClass('primary')} href={startOf(way, '/')}>
              {m.continueWith({ name: way.name })}
            </a>
          ))}
        {(first ? open : open.slice(0, 1)).map(({ slug, name }) => (
          <Button key={slug} onClick={() => void enter(slug)}>
            {m.continueIn({ organization: name })}
          </Button>
        ))}
        <Button variant="ghost" busy={leave.isPending} onClick={() => leave.mutate()}>
          {m.signOut}
        </Button>
      </Stack>
    </AuthLayout>
  );
}
