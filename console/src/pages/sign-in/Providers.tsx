import { useQuery } from '@tanstack/react-query';
import { startOf, type WayIn, waysInQuery } from '../../features/session/ways-in.ts';
import * as m from '../../messages/sign-in.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** A button for each provider, but for the one that the form leads to. */
export function Providers({ besides, next }: { readonly besides: WayIn | undefined; readonly next: string }) {
  const { data: all = [] } = useQuery(waysInQuery);
  const others = all.filter(({ id }) => id !== besides?.id);
  if (!others.length) return null;
  return (
    <section aria-label={m.providers}>
      <Stack gap={8}>
        {others.map((way) => (
          <a key={way.id} className={buttonClass()} href={startOf(way, next)}>
            {m.continueWith({ name: way.name })}
          </a>
        ))}
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
