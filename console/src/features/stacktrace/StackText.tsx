import type { ShownException } from '../event/entries.ts';
import * as m from '../../messages/stack-parts.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { exceptionsText } from './stack-text.ts';
import styles from './stacktrace.module.css';

/** The stacks as text: to read, or a button that copies them. */
export function StackText({
  shown,
  platform,
  as,
}: {
  readonly shown: readonly ShownException[];
  readonly platform: string | null;
  readonly as: 'raw' | 'copy';
}) {
  const text = (): string => exceptionsText(shown, platform);
  if (as === 'copy') return <CopyButton text={text} label={m.copy} />;
  return (
    <ScrollRegion as="pre" className={styles.raw} label={m.asText}>
      {text()}
    </ScrollRegion>
  );
}
