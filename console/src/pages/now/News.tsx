import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import * as m from '../../messages/now.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import { EventCount } from '../../features/issues/EventCount.tsx';
import { IssueMark } from '../../features/issues/IssueMark.tsx';
import { IssueSummary } from '../../features/issues/IssueSummary.tsx';
import type { Now, NowIssue } from '../../features/now/queries.ts';
import { states } from '../../messages/triage.ts';
import { Count } from '../../ui/Count.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { compactNumber, withUnit } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './NowPage.module.css';

/** Issues that are new, regressed or escalating, the last seen first. */
export function News({ now, showProject }: { readonly now: Now; readonly showProject: boolean }) {
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const { issues, counts } = now;
  const all = counts.fresh + counts.regressed + counts.escalating;
  const unresolved = (text: ReactNode) => <Link to="/issues">{text}</Link>;
  return (
    <Panel
      id="news"
      title={m.news}
      boxed={issues.length === 0}
      tools={
        issues.length > 0 && (
          <Link to="/issues" search={{ q: 'is:for_review', range: now.issuesPeriod }}>
            {all > issues.length || counts.more
              ? m.allForReview({ count: `${all}${counts.more ? '+' : ''}` })
              : m.forReview}
          </Link>
        )
      }
    >
      {issues.length === 0 ? (
        <Nothing>
          {(now.issuesPeriod === '24h' ? m.nothingNewInDay : m.nothingNewSinceChange)({ link: unresolved })}
        </Nothing>
      ) : (
        <ul ref={list} className={styles.issues} aria-labelledby="panel-news">
          {issues.map((issue) => (
            <NewsRow key={issue.id} issue={issue} showProject={showProject} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const small = (text: ReactNode): ReactNode => (
  <Text tone="faint" small>
    {text}
  </Text>
);

export function NewsRow({ issue, showProject }: { readonly issue: NowIssue; readonly showProject: boolean }) {
  const { count, userCount, substatus, sinceChange } = issue;
  const seen =
    substatus === 'new'
      ? sinceChange
        ? m.firstSeenAfterChange
        : m.firstSeen
      : sinceChange
        ? m.lastSeenAfterChange
        : m.lastSeen;
  return (
    <li className={styles.issue}>
      <IssueSummary
        issue={issue}
        mark={<IssueMark issue={issue} />}
        flags={<Flag kind={substatus}>{states[substatus]}</Flag>}
        project={showProject && <span translate="no">{issue.project.name}</span>}
        compact={
          <>
            {withUnit(compactNumber(count), '×')} · {m.usersShort({ count: userCount, n: compactNumber(userCount) })}
          </>
        }
      >
        {seen({ when: <Time at={substatus === 'new' ? issue.firstSeen : issue.lastSeen} /> })}
      </IssueSummary>
      <span className={styles.trend}>
        <Sparkline points={issue.series} />
      </span>
      <span className={styles.count}>{m.events({ count, n: <EventCount of={issue} />, unit: small })}</span>
      <span className={styles.count}>{m.users({ count: userCount, n: <Count value={userCount} />, unit: small })}</span>
    </li>
  );
}
