import { Evidence } from '../../features/find/Evidence.tsx';
import { FoundEvents } from '../../features/find/FoundEvents.tsx';
import type { FindAnswer } from '../../features/find/queries.ts';
import { Section } from '../../ui/Page.tsx';
import styles from './FindPage.module.css';

/** What failed lately on one page, or where an error screen without a number was seen. */
export function FoundPage({ answer }: { readonly answer: Extract<FindAnswer, { kind: 'page' }> }) {
  const { host, path, issues, evidence, understood } = answer;
  const side = understood.find(({ kind }) => kind === 'side')?.value;
  const where = path ? 'on this page' : host ? `on ${host}` : side === 'browser' ? 'in browsers' : 'on servers';
  return (
    <>
      <div className={styles.head}>
        <div role="status">
          <h2>{issues.length > 0 ? `Failed ${where} in the last day` : `No error ${where} in the last day`}</h2>
        </div>
        {path && (
          <p>
            {host}
            {path}
          </p>
        )}
        {side === 'browser' && (
          <p>
            This screen has no number, since the error happened in the browser itself. The newest of what browsers
            reported:
          </p>
        )}
        {side === 'server' && <p>Without the number of the screen, the newest of what servers reported:</p>}
      </div>
      {issues.length > 0 ? (
        <Section title="Newest of each issue">
          <FoundEvents label="Newest of each issue" events={issues.map(({ event }) => event)} />
        </Section>
      ) : (
        <Evidence evidence={evidence} label="What is known" />
      )}
    </>
  );
}
