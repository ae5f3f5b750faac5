import type { ReactNode } from 'react';
import { Stack } from '../../ui/Layout.tsx';
import styles from './FindPage.module.css';

/** The answer in one announced sentence, and what goes with it. */
export function Headline({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Stack gap={8}>
      <div role="status">
        <h2 className={styles.headline}>{title}</h2>
      </div>
      {children}
    </Stack>
  );
}
