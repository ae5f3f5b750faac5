import { Link } from '@tanstack/react-router';
import type { Event } from '../../features/event/types.ts';
import { isHandled, shownExceptions } from '../../features/event/entries.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import * as m from '../../messages/issue.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Narrowed } from '../../features/filters/Narrowed.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Level } from '../../ui/Level.tsx';
import styles from './IssueHeader.module.css';

// What can be done comes after what it is, and is on its way meanwhile.
const IssueActions = lazily(
  async () => (await import('./IssueActions.tsx')).IssueActions,
  <div className={styles.acts} />,
);
IssueActions.preload();

const flags = ['new', 'regressed', 'escalating', 'resolved'] as const;

/** What it is, and what can be done with it. */
export function IssueHeader({ issue, event }: { readonly issue: IssueDetail; readonly event: Event | undefined }) {
  const { name, text, place } = issueWords(issue);
  const open = issue.status === 'unresolved';
  const unhandled = event ? isHandled(shownExceptions(event)[0]?.exception) === false : issue.isUnhandled;

  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <Link to="/issues" search={{ project: issue.project.slug }} translate="no">
          {issue.project.name}
        </Link>
        <span aria-hidden="true">/</span>
        <span className={styles.id} translate="no">
          {issue.shortId}
        </span>
        <CopyButton text={issue.shortId} label={m.copyId} />
        <span className={styles.flags}>
          {open && (issue.substatus ?? 'ongoing') === 'ongoing' ? (
            <Flag kind="plain">{m.unresolved}</Flag>
          ) : (
            <Flag kind={flags.find((flag) => flag === (open ? issue.substatus : issue.status)) ?? 'archived'} />
          )}
          {unhandled && <Flag kind="unhandled" />}
        </span>
        <IssueActions issue={issue} event={event} />
      </div>
      <h1 className={styles.title}>
        <Level level={event?.level ?? issue.level} word />
        <span className={styles.name} translate="no">
          {name}
        </span>
      </h1>
      {text && (
        <p className={styles.text} translate="no">
          {issue.metadata['value']}
        </p>
      )}
      {place && (
        <p className={styles.place} translate="no">
          {place}
        </p>
      )}
      <Narrowed by={['environment']} />
    </header>
  );
}
