import { Link } from '@tanstack/react-router';
import { basisWords, factorWords } from '../../features/releases/comparison-rows.ts';
import { releaseName } from '../../features/release-names/names.ts';
import type { ComparedIssue, Comparison } from '../../features/releases/health-queries.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import { Count } from '../../ui/Count.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import { Panel } from '../../ui/Panel.tsx';
import styles from './ComparisonPage.module.css';

type Kind = 'new' | 'worse' | 'gone' | 'better';

const titles: Readonly<Record<Kind, string>> = { new: 'New', worse: 'Worse', gone: 'Gone', better: 'Better' };

function emptyWords(kind: Kind, { basis, ...sides }: Comparison): string {
  const [from, to] = [sides.from, sides.to].map((side) => releaseName(side, [sides.from, sides.to]));
  switch (kind) {
    case 'new':
      return `Every issue of ${to} was in ${from} too.`;
    case 'gone':
      return `Every issue of ${from} is in ${to} too.`;
    case 'worse':
      return `No issue of both happens clearly more often ${basisWords[basis]}.`;
    case 'better':
      return `No issue of both happens clearly less often ${basisWords[basis]}.`;
  }
}

/** Issues that changed in one way. What got better is left out where nothing did. */
export function ComparedIssues({ kind, comparison }: { readonly kind: Kind; readonly comparison: Comparison }) {
  const { total, issues } = comparison[kind];
  if (kind === 'better' && total === 0) return null;
  return (
    <Panel title={titles[kind]} id={kind} count={total}>
      {total === 0 ? (
        <p className={styles.note}>{emptyWords(kind, comparison)}</p>
      ) : (
        <ul>
          {issues.map((compared) => (
            <IssueLine key={compared.issue.id} compared={compared} basis={comparison.basis} />
          ))}
        </ul>
      )}
      {total > issues.length && (
        <p className={styles.note}>and {total - issues.length} more with fewer events or a smaller change</p>
      )}
    </Panel>
  );
}

function IssueLine({ compared, basis }: { readonly compared: ComparedIssue; readonly basis: Comparison['basis'] }) {
  const { issue, before, after, factor } = compared;
  const { name, text, place } = issueWords(issue);
  const much = factorWords(factor);
  return (
    <li className={styles.issue}>
      <Level level={issue.level} />
      <div className={styles.issueWhat}>
        <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={styles.issueTitle}>
          <strong>{name}</strong> {text}
        </Link>
        <span className={styles.faint}>
          {issue.shortId}
          {place && ` · ${place}`}
        </span>
      </div>
      {issue.status !== 'unresolved' && <Flag kind={issue.status === 'resolved' ? 'resolved' : 'archived'} />}
      <span className={styles.counts}>
        <span>
          <span className="visually-hidden">from </span>
          <Count value={before} />
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> to </span>
          <Count value={after} />
          <span className="visually-hidden"> events</span>
        </span>
        {much && (
          <span className={styles.faint} data-tip={basisWords[basis]}>
            {much}
          </span>
        )}
      </span>
    </li>
  );
}
