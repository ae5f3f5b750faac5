/** What a panel shows when it has nothing to show: loading, empty, failed. */
import { useEffect, useState, type ReactNode } from 'react';
import * as m from '../messages/ui.ts';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { cx } from './cx.ts';
import { RetryIcon } from './icons.ts';
import styles from './State.module.css';

/** Grey rows of the real height; they appear only after 150 ms, so that quick answers do not flicker. */
export function Skeleton({
  rows = 1,
  height = 36,
  label = m.loading,
}: {
  readonly rows?: number;
  readonly height?: number;
  readonly label?: string;
}) {
  return (
    <output className={styles.skeleton} aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.bone} style={{ height }} />
      ))}
    </output>
  );
}

export function EmptyState({
  title,
  level = 2,
  icon,
  children,
}: {
  /** 1 where this is all that the page shows. */
  readonly level?: 1 | 2;
  readonly title: ReactNode;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty}>
      {icon && <div className={styles.emptyIcon}>{icon}</div>}
      <Heading>{title}</Heading>
      {children && <div className={styles.emptyBody}>{children}</div>}
    </div>
  );
}

/** The sentence, the code, the digest of our own server's log, and a way to try again. */
export function ErrorState({
  error,
  retry,
  what = m.notLoaded,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
  readonly what?: string;
}) {
  const { message, code, digest } = describeError(error);
  return (
    <div className={styles.error} role="alert">
      <p>
        <strong>{what}.</strong> {message}
      </p>
      {(code || digest) && (
        <p className={styles.codes}>
          {code && <code>{code}</code>}
          {digest && (
            <span>
              {m.digest({ digest: <code>{digest}</code> })}{' '}
              <CopyButton text={digest} label={m.copyDigest} variant="ghost" />
            </span>
          )}
        </p>
      )}
      {retry && (
        <Button size="small" icon={<RetryIcon size={14} />} onClick={retry}>
          {m.retry}
        </Button>
      )}
    </div>
  );
}

/** Reads what an error says of itself without knowing its class. */
export function describeError(error: unknown): { message: string; code?: string; digest?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, digest } = error as Error & { code?: unknown; digest?: unknown };
  return {
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof digest === 'string' && { digest }),
  };
}

/** A 2 px bar while known data is asked for again; after 3 s it counts, after 8 s it offers to stop. */
export function BusyBar({ busy, cancel }: { readonly busy: boolean; readonly cancel?: () => void }) {
  return <div className={cx(styles.busy, busy && styles.on)}>{busy && <Waiting {...(cancel && { cancel })} />}</div>;
}

function Waiting({ cancel }: { readonly cancel?: () => void }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((value) => value + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (seconds < 3) return null;
  return (
    <output className={styles.waiting}>
      {m.waiting({ seconds })}
      {seconds >= 8 && cancel && (
        <Button size="small" onClick={cancel}>
          {m.cancel}
        </Button>
      )}
    </output>
  );
}
