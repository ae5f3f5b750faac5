import { termText } from '@culprit/search';
import { memo, type ReactNode } from 'react';
import * as m from '../../messages/issues.ts';
import * as t from '../../messages/triage.ts';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import { EventCount } from '../../features/issues/EventCount.tsx';
import { IssueMark } from '../../features/issues/IssueMark.tsx';
import { IssueSummary } from '../../features/issues/IssueSummary.tsx';
import type { Issue } from '../../features/issues/queries.ts';
import { trendOf } from '../../features/issues/trend.ts';
import { assignedTip } from '../../features/triage/assigned-tip.ts';
import { Avatar } from '../../features/triage/Avatar.tsx';
import { PriorityMark } from '../../features/triage/PriorityMark.tsx';
import { stateWords } from '../../features/triage/state-words.ts';
import type { MenuKind } from '../../features/triage/TriageMenu.tsx';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { Flag } from '../../ui/Flag.tsx';
import { BookmarkIcon, CommentIcon } from '../../ui/icons.ts';
import { Level } from '../../ui/Level.tsx';
import { compactNumber, withUnit } from '../../ui/numbers.ts';
import { Time, useNow } from '../../ui/Time.tsx';
import styles from './IssuesPage.module.css';

interface Props {
  readonly issue: Issue;
  readonly position: number;
  readonly size: number;
  readonly selected: boolean;
  /** Whether it can be selected and changed. */
  readonly mayChange?: boolean;
  /** No longer part of this list, because of a change that was made here. */
  readonly leaving: boolean;
  readonly peeked: boolean;
  /** The same ones at each drawing. */
  readonly actions: RowActions;
  readonly showProject: boolean;
}

export interface RowActions {
  readonly toggle: (issue: Issue, range: boolean) => void;
  readonly focused: (issue: Issue) => void;
  /** Narrows the list to what matches the term. */
  readonly filter: (term: string) => void;
  readonly openMenu: (issue: Issue, kind: MenuKind, anchor: Element) => void;
}

/** Drawn again only where something of it changed: fifty of them for each key would be felt. */
export const IssueRow = memo(function IssueRow({
  issue,
  position,
  size,
  selected,
  mayChange = true,
  leaving,
  peeked,
  actions,
  showProject,
}: Props) {
  const { points, time } = trendOf(issue);
  return (
    <li
      className={cx(styles.issue, selected && styles.selected, peeked && styles.peeked, leaving && styles.leaving)}
      {...(leaving
        ? { 'data-leaving': '', 'aria-hidden': true, inert: true }
        : { 'aria-setsize': size, 'aria-posinset': position })}
    >
      <label className={styles.box}>
        {mayChange && (
          <input
            type="checkbox"
            checked={selected}
            aria-label={m.selectRow({ id: issue.shortId })}
            onChange={() => undefined}
            onClick={(event) => actions.toggle(issue, event.shiftKey)}
          />
        )}
      </label>
      <IssueSummary
        issue={issue}
        quiet={issue.status !== 'unresolved' || issue.hasSeen}
        onFocus={() => actions.focused(issue)}
        mark={<Mark issue={issue} onFilter={actions.filter} />}
        flags={<Flags issue={issue} onFilter={actions.filter} />}
        project={
          showProject && (
            <Value term={termText('project', issue.project.slug)} onFilter={actions.filter}>
              <span translate="no">{issue.project.name}</span>
            </Value>
          )
        }
        compact={
          <>
            {withUnit(compactNumber(Number(issue.count)), '×')} · <Time at={issue.lastSeen} short />
          </>
        }
      >
        {issue.numComments > 0 && (
          <span className={styles.mark} data-tip={m.comments({ count: issue.numComments })}>
            <CommentIcon size={11} aria-hidden="true" />
            <span aria-hidden="true">{issue.numComments}</span>
            <span className="visually-hidden">{m.comments({ count: issue.numComments })}</span>
          </span>
        )}
        {issue.isBookmarked && (
          <span className={styles.mark} data-tip={m.bookmarked}>
            <BookmarkIcon size={11} aria-hidden="true" className={styles.bookmark} />
            <span className="visually-hidden">{m.bookmarked}</span>
          </span>
        )}
      </IssueSummary>
      <span className={styles.trend}>
        <Sparkline points={points} time={time} />
      </span>
      <span className={styles.count}>{m.eventsCell({ count: <EventCount of={issue} />, word: hidden })}</span>
      <span className={styles.count}>{m.usersCell({ count: <Count value={issue.userCount} />, word: hidden })}</span>
      <span className={styles.when}>{m.lastSeenCell({ when: <Time at={issue.lastSeen} />, word: hidden })}</span>
      <span className={styles.age}>{m.firstSeenCell({ when: <Time at={issue.firstSeen} />, word: hidden })}</span>
      <button
        type="button"
        tabIndex={-1}
        className={styles.cell}
        data-menu="priority"
        disabled={!mayChange}
        data-tip={t.priorityTips[issue.priority]}
        onClick={(event) => actions.openMenu(issue, 'priority', event.currentTarget)}
      >
        <PriorityMark priority={issue.priority} />
      </button>
      <button
        type="button"
        tabIndex={-1}
        className={styles.cell}
        data-menu="assign"
        disabled={!mayChange}
        data-tip={assignedTip(issue.assignedTo)}
        onClick={(event) => actions.openMenu(issue, 'assign', event.currentTarget)}
      >
        <Avatar who={issue.assignedTo} />
        <span className="visually-hidden">{assignedTip(issue.assignedTo)}</span>
      </button>
    </li>
  );
});

/** The column's head says it to those who see it. */
const hidden = (text: ReactNode): ReactNode => <span className="visually-hidden">{text}</span>;

interface PartProps {
  readonly issue: Issue;
  readonly onFilter: (term: string) => void;
}

function Mark({ issue, onFilter }: PartProps) {
  return issue.issueCategory === 'performance' ? (
    <IssueMark issue={issue} />
  ) : (
    <Value term={termText('level', issue.level)} onFilter={onFilter}>
      <Level level={issue.level} />
    </Value>
  );
}

function Flags({ issue, onFilter }: PartProps) {
  const { kind, word, how, by } = stateWords(issue, useNow());
  const is = issue.status === 'unresolved' ? (issue.substatus ?? '') : kind;
  return (
    <>
      {kind !== 'plain' && (
        <Value
          term={`is:${is}`}
          tip={[how && m.stateTip({ state: word, how }), by && m.by({ name: by })].filter(Boolean).join('\n')}
          onFilter={onFilter}
        >
          <Flag kind={kind}>{word}</Flag>
        </Value>
      )}
      {issue.isUnhandled && (
        <span className={styles.optional}>
          <Value term="error.unhandled:true" onFilter={onFilter}>
            <Flag kind="unhandled">{m.unhandled}</Flag>
          </Value>
        </span>
      )}
    </>
  );
}

/** A value that is a filter when it is pressed. The keyboard has the search box for that, and no stops in every row. */
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
  const only = m.only({ filter: term });
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.value}
      data-tip={tip ? `${tip}\n${only}` : only}
      onClick={() => onFilter(term)}
    >
      {children}
    </button>
  );
}
