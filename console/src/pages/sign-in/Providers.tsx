import { useQuery } from '@tanstack/react-query';
import { domainIn, startOf, type WayIn, wayInQuery, waysInQuery } from '../../features/session/ways-in.ts';
import * as m from '../../messages/sign-in.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Text } from '../../ui/Text.tsx';

const linkTo = (way: WayIn, next: string, variant?: 'primary') => (
  <a key={way.id} className={buttonClass(variant)} href={startOf(way, next)}>
    {m.continueWith({ name: way.name })}
  </a>
);

/** Once an address is whole and its domain has a provider: the way there. */
export function ProviderOfEmail({ email, next }: { readonly email: string; readonly next: string }) {
  const { data: found } = useQuery(wayInQuery(domainIn(email)));
  return found ? <output>{linkTo(found, next, 'primary')}</output> : null;
}

/** A button for each provider, but for the one that stands beside the address. */
export function Providers({ email, next }: { readonly email: string; readonly next: string }) {
  const { data: all = [] } = useQuery(waysInQuery);
  const { data: found } = useQuery(wayInQuery(domainIn(email)));
  const others = all.filter(({ id }) => id !== found?.id);
  if (!others.length) return null;
  return (
    <section aria-label={m.providers}>
      <Stack gap={8}>
        <Text tone="faint" small>
          {m.or}
        </Text>
        {others.map((way) => linkTo(way, next))}
      </Stack>
    </section>
  );
}

const isProblem = (text: string): text is keyof typeof m.problems => Object.hasOwn(m.problems, text);

/** Why somebody came back from a provider without being signed in. What the address says is only looked up. */
export function Problem({ code }: { readonly code: string }) {
  return (
    <Notice tone="error" says="alert">
      {m.problems[isProblem(code) ? code : 'failed']}
    </Notice>
  );
}
