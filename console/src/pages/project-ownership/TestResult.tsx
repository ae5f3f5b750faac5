import { useQuery } from '@tanstack/react-query';
import { CloseIcon } from '../../ui/icons.ts';
import { ownershipTestQuery } from '../../features/ownership/queries.ts';
import { ownerWords, sourceWords } from '../../features/ownership/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { IconButton } from '../../ui/Button.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './OwnershipPage.module.css';

/** Which rules match one issue and why, and which of them decides. */
export function TestResult({
  slug,
  issue,
  raw,
  onClose,
}: {
  readonly slug: string;
  readonly issue: string;
  readonly raw: string;
  readonly onClose: () => void;
}) {
  const org = useOrg();
  const test = useQuery(ownershipTestQuery(org, slug, issue, raw));
  if (test.isPending) return <Skeleton rows={2} height={48} label={`Trying ${issue}`} />;
  if (test.isError) return <ErrorState error={test.error} what={`${issue} could not be tried`} />;
  const { rules, assignee, paths, url } = test.data;
  return (
    <section className={styles.result} aria-label={`Rules that match ${test.data.issue.shortId}`}>
      <header className={styles.resultHead}>
        <p>
          <strong>{test.data.issue.shortId}</strong>{' '}
          {assignee ? (
            <>
              goes to <strong>{ownerWords(assignee)}</strong>.
            </>
          ) : (
            'stays unassigned: no matching rule names anyone here.'
          )}
        </p>
        <IconButton size="small" label="Close" icon={<CloseIcon size={14} />} onClick={onClose} />
      </header>
      {rules.length > 0 && (
        <ul className={styles.rules}>
          {rules.map((rule) => (
            <li key={`${rule.source} ${rule.line} ${rule.why}`}>
              <code>{rule.text}</code>
              <span className={styles.hint}>
                {sourceWords(rule.source, rule.line)}, matched {rule.why}
                {rule.decides && <strong> · decides</strong>}
                {rule.unknown.length > 0 && ` · no member here is ${rule.unknown.join(', ')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary className={styles.hint}>What rules were held against</summary>
        <ul className={styles.paths}>
          {url && (
            <li>
              <code>{url}</code>
            </li>
          )}
          {paths.map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
          {!url && paths.length === 0 && <li>Its newest event has neither own frames nor an address.</li>}
        </ul>
      </details>
    </section>
  );
}
