import type { ReactNode } from 'react';
import { Inline, Stack } from '../../ui/Layout.tsx';

/** A named part of an operation. */
export function Part({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <Stack gap={8}>
        <Inline align="apart">
          <h4>{title}</h4>
          {actions}
        </Inline>
        {children}
      </Stack>
    </section>
  );
}
