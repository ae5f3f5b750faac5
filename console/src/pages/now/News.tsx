import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import { issueWords } from '../../features/issues/issue-words.ts';
import type { Now, NowIssue } from '../../features/now/queries.ts';
import { Count } from '../../ui/Count.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import { compactNumber, pluralForm, withUnit } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './NowPage.module.css';

/** Issues that are new, back again or growing, the last seen first. */
export function News({ now, showProject }: { readonly now: Now; readonly showProject: boolean }) {
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const { issues, counts } = now;
  const all = counts.fresh + counts.regressed + counts.escalating;
  return (
    <section className={styles.news} aria-labelledby="now-news">
      <header className={styles.head}>
        <h2 id="now-news">New, back again, growing</h2>
        {issues.length > 0 && (
          <Link to="/issues" search={{ q: 'is:for_review', range: now.issuesPeriod }}>
            {all > issues.length || counts.more ? `All ${all}${counts.more ? '+' : ''} for review` : 'For review'}
          </Link>
        )}
      </header>
      {issues.length === 0 ? (
        <p className={styles.none}>
          Nothing new {now.issuesPeriod === '24h' ? 'in the last day' : 'since the last change'}.{' '}
          <Link to="/issues">What is still open</Link>
        </p>
      ) : (
        <ul ref={list} className={styles.rows}>
          {issues.map((issue) => (
            <Row key={issue.id} issue={issue} showProject={showProject} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ issue, showProject }: { readonly issue: NowIssue; readonly showProject: boolean }) {
  const { name, text, place } = issueWords(issue);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.line}>
          <Level level={issue.level} />
          <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={styles.title} data-row="">
            <span className={styles.name}>{name}</span>
            {text && <span className={styles.text}>{text}</span>}
          </Link>
          <Flag kind={issue.substatus} />
        </div>
        <div className={styles.sub}>
          <span>{issue.shortId}</span>
          {showProject && <span>{issue.project.name}</span>}
          {place && <span className={styles.place}>{place}</span>}
          <span>
            {issue.substatus === 'new' ? 'since' : 'last seen'}{' '}
            <Time at={issue.substatus === 'new' ? issue.firstSeen : issue.lastSeen} />
            {issue.sinceChange && ', after the last change'}
          </span>
          <span className={styles.compact}>
            {withUnit(compactNumber(issue.count), '×')} · {compactNumber(issue.userCount)}{' '}
            {pluralForm(issue.userCount, 'person', 'people')}
          </span>
        </div>
      </div>
      <span className={styles.trend}>
        <Sparkline points={issue.series} />
      </span>
      <span className={styles.number}>
        <Count value={issue.count} />
        <span className={styles.unit}> {pluralForm(issue.count, 'event')}</span>
      </span>
      <span className={styles.number}>
        <Count value={issue.userCount} />
        <span className={styles.unit}> {pluralForm(issue.userCount, 'person', 'people')}</span>
      </span>
    </li>
  );
}
