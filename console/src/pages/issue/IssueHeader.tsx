import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Event } from '../../features/event/types.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { isHandled, shownExceptions } from '../../features/event/entries.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import styles from './IssueHeader.module.css';

// What can be done comes after what it is, and is on its way meanwhile.
const loadActions = () => import('./IssueActions.tsx');
const IssueActions = lazy(() => loadActions().then((module) => ({ default: module.IssueActions })));
void loadActions().catch(() => undefined);

const flags = ['new', 'regressed', 'escalating', 'resolved'] as const;

/** What it is, and what can be done with it. */
export function IssueHeader({ issue, event }: { readonly issue: IssueDetail; readonly event: Event | undefined }) {
  const { name, text, place } = issueWords(issue);
  const open = issue.status === 'unresolved';
  const unhandled = event ? isHandled(shownExceptions(event)[0]?.exception) === false : issue.isUnhandled;

  return (
    <header className={styles.header}>
      <div className={styles.crumbs}>
        <Link to="/issues" search={{ project: issue.project.slug }}>
          {issue.project.name}
        </Link>
        <span aria-hidden="true">/</span>
        <span className={styles.id}>{issue.shortId}</span>
        <CopyButton text={issue.shortId} label="Copy issue id" />
        <span className={styles.status}>
          {open && (issue.substatus ?? 'ongoing') === 'ongoing' ? (
            <Flag kind="plain">unresolved</Flag>
          ) : (
            <Flag kind={flags.find((flag) => flag === (open ? issue.substatus : issue.status)) ?? 'archived'} />
          )}
          {unhandled && <Flag kind="unhandled" />}
        </span>
        <Suspense fallback={<div className={styles.actions} />}>
          <IssueActions issue={issue} event={event} />
        </Suspense>
      </div>
      <h1 className={styles.title}>
        <Level level={event?.level ?? issue.level} word />
        <span className={styles.name}>{name}</span>
      </h1>
      {text && <p className={styles.text}>{text}</p>}
      {place && <p className={styles.place}>{place}</p>}
    </header>
  );
}
