import type { ReactNode } from 'react';
import styles from './AuthLayout.module.css';
import { Logo } from './Logo.tsx';

/** The calm page around sign-in and setup. */
export function AuthLayout({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <Logo size={28} />
        <h1 className={styles.title}>{title}</h1>
        {note && <p className={styles.note}>{note}</p>}
        <div className={styles.body}>{children}</div>
      </div>
    </main>
  );
}
