import { Link } from '@tanstack/react-router';
import { plural } from '../../ui/numbers.ts';
import styles from './PreviewResult.module.css';
import { examinedWords, verdictWords } from './preview-words.ts';
import type { PreviewResult as Result } from './queries.ts';

type Ref = Result['splits'][number]['issue'];

/** Which issues would become one, and which would fall apart. */
export function PreviewResult({ result }: { readonly result: Result }) {
  const { merges, splits } = result;
  return (
    <div className={styles.result}>
      <p>
        <strong>{verdictWords(result)}.</strong> <span className={styles.muted}>{examinedWords(result)}</span>
      </p>
      {merges.length > 0 && (
        <section className={styles.part} aria-labelledby="preview-merges">
          <h3 id="preview-merges">Would become one issue</h3>
          <ul className={styles.list}>
            {merges.map(({ into, title, issues }) => (
              <li key={issues.map(({ issue }) => issue.id).join(' ')} className={styles.change}>
                <p className={styles.title}>
                  {title} <span className={styles.muted}>{into ? `into ${into.shortId}` : 'into a new issue'}</span>
                </p>
                <ul className={styles.parts}>
                  {issues.map(({ issue, events }) => (
                    <li key={issue.id}>
                      <IssueLink issue={issue} /> <span className={styles.count}>{plural(events, 'event')}</span>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </section>
      )}
      {splits.length > 0 && (
        <section className={styles.part} aria-labelledby="preview-splits">
          <h3 id="preview-splits">Would split</h3>
          <ul className={styles.list}>
            {splits.map(({ issue, parts }) => (
              <li key={issue.id} className={styles.change}>
                <p className={styles.title}>
                  <IssueLink issue={issue} /> <span className={styles.muted}>into {parts.length}</span>
                </p>
                <ul className={styles.parts}>
                  {parts.map((part) => (
                    <li key={part.exampleEventId}>
                      <Link
                        to="/issues/$issue"
                        params={{ issue: issue.shortId }}
                        search={{ event: part.exampleEventId }}
                        target="_blank"
                      >
                        {part.title}
                      </Link>{' '}
                      {part.fingerprint && <code className={styles.muted}>{part.fingerprint.join(', ')}</code>}{' '}
                      <span className={styles.count}>{plural(part.events, 'event')}</span>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** In a tab of its own: here something is being written. */
function IssueLink({ issue }: { readonly issue: Ref }) {
  return (
    <Link to="/issues/$issue" params={{ issue: issue.shortId }} target="_blank">
      <span className={styles.id}>{issue.shortId}</span> {issue.title}
    </Link>
  );
}
