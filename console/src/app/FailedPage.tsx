import { CopyButton } from '../ui/CopyButton.tsx';
import { describeError, ErrorState } from '../ui/State.tsx';
import styles from './FailedPage.module.css';

/** A page that could not be drawn: what happened, and all that helps whoever is asked about it. */
export function FailedPage({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return (
    <main className={styles.page}>
      <h1>This page could not be shown</h1>
      <ErrorState error={error} retry={retry} what="Something went wrong" />
      <CopyButton text={() => details(error)} label="Copy details">
        Copy details
      </CopyButton>
    </main>
  );
}

function details(error: unknown): string {
  const { message, code, digest } = describeError(error);
  return [
    `Page: ${location.href}`,
    `Time: ${new Date().toISOString()}`,
    `Error: ${message}`,
    code && `Code: ${code}`,
    digest && `Digest: ${digest}`,
    error instanceof Error ? error.stack : undefined,
  ]
    .filter(Boolean)
    .join('\n');
}
