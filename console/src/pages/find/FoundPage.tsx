import { Evidence } from '../../features/find/Evidence.tsx';
import { FoundEvents } from '../../features/find/FoundEvents.tsx';
import type { FindAnswer } from '../../features/find/queries.ts';
import { Section } from '../../ui/Page.tsx';
import styles from './FindPage.module.css';

/** What failed on one page of an application lately. */
export function FoundPage({ answer }: { readonly answer: Extract<FindAnswer, { kind: 'page' }> }) {
  const { host, path, issues, evidence } = answer;
  return (
    <>
      <div className={styles.head}>
        <h2 role="status">
          {issues.length > 0 ? 'Failed on this page in the last day' : 'No error on this page in the last day'}
        </h2>
        <p>
          {host}
          {path}
        </p>
      </div>
      {issues.length > 0 ? (
        <Section title="Newest of each issue">
          <FoundEvents label="Errors on this page" events={issues.map(({ event }) => event)} />
        </Section>
      ) : (
        <Evidence evidence={evidence} label="What is known" />
      )}
    </>
  );
}
