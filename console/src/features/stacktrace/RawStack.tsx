import type { StackOrder } from '@culprit/stacktrace';
import * as m from '../../messages/stack-parts.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import type { Thrown } from './Exceptions.tsx';
import { stackText } from './stack-text.ts';
import styles from './stacktrace.module.css';

export const RawStack = ({ event, order }: { readonly event: Thrown; readonly order: StackOrder }) => (
  <ScrollRegion as="pre" className={styles.raw} label={m.asText}>
    {stackText(event, order)}
  </ScrollRegion>
);
