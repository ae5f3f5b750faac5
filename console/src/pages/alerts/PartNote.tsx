import type { ReactNode } from 'react';
import { Text } from '../../ui/Text.tsx';

/** The line below a part of the rule: what is wrong with it, or else what it means. */
export function PartNote({
  problem,
  children,
}: {
  readonly problem?: string | undefined;
  readonly children?: ReactNode;
}) {
  if (problem)
    return (
      <div role="alert">
        <Text tone="error" small>
          {problem}
        </Text>
      </div>
    );
  return children ? (
    <Text as="p" tone="faint" small>
      {children}
    </Text>
  ) : null;
}
