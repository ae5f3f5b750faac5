import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import { BookmarkIcon, CommentIcon, PerformanceIcon } from '../../ui/icons.ts';
import { memo, type ReactNode } from 'react';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import { issueWords } from '../../features/issues/issue-words.ts';
import { trendOf } from '../../features/issues/trend.ts';
import type { Issue } from '../../features/issues/queries.ts';
import { assignedTip, Avatar } from '../../features/triage/Avatar.tsx';
import { PriorityMark } from '../../features/triage/PriorityMark.tsx';
import { stateWords } from '../../features/triage/state-words.ts';
import type { MenuKind } from '../../features/triage/TriageMenu.tsx';
import { compactNumber, plural, withUnit } from '../../ui/numbers.ts';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { Level } from '../../ui/Level.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import styles from './IssuesPage.module.css';

interface Props {
  readonly issue: Issue;
  readonly position: number;
  readonly size: number;
  readonly selected: boolean;
  /** By what was done with it, it is no part of this list any more. */
  readonly leaving: boolean;
  readonly peeked: boolean;
  /** The same ones at each drawing. */
  readonly actions: RowActions;
  readonly showProject: boolean;
}

export interface RowActions {
  readonly toggle: (issue: Issue, range: boolean) => void;
  readonly focused: (issue: Issue) => void;
  /** Keeps only what the term is true of. */
  readonly filter: (term: string) => void;
  readonly openMenu: (issue: Issue, kind: MenuKind, anchor: Element) => void;
}

/** Drawn anew only where something of it is another: fifty of them for each key would be felt. */
export const IssueRow = memo(function IssueRow({
  issue,
  position,
  size,
  selected,
  leaving,
  peeked,
  actions,
  showProject,
}: Props) {
  const onFilter = actions.filter;
  const state = stateWords(issue, useNow());
  const reason = [state.how, state.by && `by ${state.by}`].filter(Boolean).join(', ');
  const { name, text, place } = issueWords(issue);
  const { points, time } = trendOf(issue);
  return (
    <li
      className={cx(
        styles.row,
        selected && styles.selected,
        peeked && styles.peeked,
        leaving && styles.leaving,
        (issue.status !== 'unresolved' || issue.hasSeen) && styles.quiet,
      )}
      {...(leaving
        ? { 'data-leaving': '', 'aria-hidden': true, inert: true }
        : { 'aria-setsize': size, 'aria-posinset': position })}
    >
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={selected}
          aria-label={`Select ${issue.shortId}`}
          onChange={() => undefined}
          onClick={(event) => actions.toggle(issue, event.shiftKey)}
        />
      </label>
      <div className={styles.what}>
        <div className={styles.line}>
          {issue.issueCategory === 'performance' ? (
            <span className={styles.category} data-tip="performance">
              <PerformanceIcon size={12} aria-hidden="true" />
              <span className="visually-hidden">performance</span>
            </span>
          ) : (
            <Value term={termText('level', issue.level)} onFilter={onFilter}>
              <Level level={issue.level} />
            </Value>
          )}
          <Link
            to="/issues/$issue"
            params={{ issue: issue.shortId }}
            className={styles.title}
            data-row=""
            onFocus={() => actions.focused(issue)}
          >
            <span className={styles.name}>{name}</span>
            {text && <span className={styles.text}>{text}</span>}
          </Link>
          {state.kind !== 'plain' && (
            <Value
              term={`is:${issue.status === 'unresolved' ? (issue.substatus ?? '') : state.word}`}
              tip={reason && `${state.word} ${reason}`}
              onFilter={onFilter}
            >
              <Flag kind={state.kind}>{state.word}</Flag>
            </Value>
          )}
          {issue.isUnhandled && (
            <span className={styles.optional}>
              <Value term="error.unhandled:true" onFilter={onFilter}>
                <Flag kind="unhandled" />
              </Value>
            </span>
          )}
        </div>
        <div className={styles.sub}>
          <span className={styles.id}>{issue.shortId}</span>
          {showProject && (
            <span className={styles.project}>
              <Value term={termText('project', issue.project.slug)} onFilter={onFilter}>
                {issue.project.name}
              </Value>
            </span>
          )}
          {place && <span className={styles.place}>{place}</span>}
          {issue.numComments > 0 && (
            <span className={styles.mark} data-tip={plural(issue.numComments, 'comment')}>
              <CommentIcon size={11} aria-hidden="true" /> {issue.numComments}
              <span className="visually-hidden"> comments</span>
            </span>
          )}
          {issue.isBookmarked && (
            <span className={styles.mark} data-tip="Bookmarked">
              <BookmarkIcon size={11} aria-hidden="true" className={styles.bookmarked} />
              <span className="visually-hidden">bookmarked</span>
            </span>
          )}
          <span className={styles.compact}>
            {withUnit(compactNumber(Number(issue.count)), '×')} · <Time at={issue.lastSeen} short />
          </span>
        </div>
      </div>
      <span className={styles.trend}>
        <Sparkline points={points} time={time} />
      </span>
      <span className={styles.number}>
        <Count value={Number(issue.count)} />
        <span className="visually-hidden"> events</span>
      </span>
      <span className={styles.number}>
        <Count value={issue.userCount} />
        <span className="visually-hidden"> users</span>
      </span>
      <span className={styles.when}>
        <span className="visually-hidden">last seen </span>
        <Time at={issue.lastSeen} />
      </span>
      <span className={styles.age}>
        <span className="visually-hidden">first seen </span>
        <Time at={issue.firstSeen} />
      </span>
      <button
        type="button"
        tabIndex={-1}
        className={styles.cell}
        data-menu="priority"
        data-tip={`${issue.priority} priority`}
        onClick={(event) => actions.openMenu(issue, 'priority', event.currentTarget)}
      >
        <PriorityMark priority={issue.priority} />
      </button>
      <button
        type="button"
        tabIndex={-1}
        className={styles.cell}
        data-menu="assign"
        data-tip={assignedTip(issue.assignedTo)}
        onClick={(event) => actions.openMenu(issue, 'assign', event.currentTarget)}
      >
        <Avatar who={issue.assignedTo} />
        <span className="visually-hidden">{assignedTip(issue.assignedTo)}</span>
      </button>
    </li>
  );
});

/** A value that is a filter when it is clicked. The keyboard has the search box for that, and no stops in every row. */
function Value({
  term,
  tip = '',
  onFilter,
  children,
}: {
  readonly term: string;
  /** What it means, where that is more than the filter. */
  readonly tip?: string;
  readonly onFilter: (term: string) => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.value}
      data-tip={tip ? `${tip}\nOnly ${term}` : `Only ${term}`}
      onClick={() => onFilter(term)}
    >
      {children}
    </button>
  );
}
