import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { difference, type Piece } from '../../features/grouping/difference.ts';
import { goOnFrom } from '../../features/grouping/go-on.ts';
import { type SimilarIssue, similarIssuesQuery } from '../../features/grouping/queries.ts';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import { EventCount } from '../../features/issues/EventCount.tsx';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-grouping.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { MergeIcon } from '../../ui/icons.ts';
import { Level } from '../../ui/Level.tsx';
import { percent } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './GroupingSimilar.module.css';

/** Near misses: what could be the same failure, with the part in which they differ. Left out where there is none. */
export function GroupingSimilar({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const similar = useQuery(similarIssuesQuery(org, issue.shortId));
  if (similar.data ? similar.data.length === 0 : !similar.error) return null;
  return (
    <div>
      <QueryView query={similar} loading={m.similarLoading} failed={m.similarFailed}>
        {(data) => (
          <Panel title={m.similar} id="similar" count={data.length} boxed={false}>
            <DataList compact>
              {data.map((each) => (
                <SimilarRow key={each.issue.id} issue={issue} similar={each} />
              ))}
            </DataList>
          </Panel>
        )}
      </QueryView>
    </div>
  );
}

function SimilarRow({ issue, similar }: { readonly issue: IssueDetail; readonly similar: SimilarIssue }) {
  const { merge, dismiss } = useGroupingActions();
  const may = useMay('event:write');
  const other = similar.issue;
  return (
    <DataRow
      lead={<Level level={other.level} />}
      title={
        <span translate="no">
          <Text>{other.shortId}</Text>{' '}
          <Link to="/issues/$issue" params={{ issue: other.shortId }}>
            {other.title}
          </Link>
        </span>
      }
      facts={
        <Facts>
          {m.alike[similar.why]({ share: percent(similar.score, 1) })}
          {m.eventCount({ count: other.count, n: <EventCount of={other} /> })}
          {m.last({ when: <Time at={other.lastSeen} /> })}
        </Facts>
      }
      actions={
        may && (
          <>
            <Button
              size="small"
              icon={<MergeIcon size={14} />}
              aria-label={m.mergeInto({ issue: other.shortId })}
              tip={m.mergeTip({ issue: other.shortId, into: issue.shortId })}
              busy={merge.isPending}
              onClick={(event) => {
                goOnFrom(event.currentTarget);
                merge.mutate({ children: [other], into: issue });
              }}
            >
              {m.merge}
            </Button>
            <Button
              size="small"
              variant="ghost"
              aria-label={m.differentLabel({ issue: other.shortId })}
              busy={dismiss.isPending}
              onClick={(event) => {
                goOnFrom(event.currentTarget);
                dismiss.mutate({ issue, other });
              }}
            >
              {m.different}
            </Button>
          </>
        )
      }
    >
      {similar.differing.length > 0 && (
        <Differences here={issue.shortId} there={other.shortId} differing={similar.differing} />
      )}
    </DataRow>
  );
}

const shownAtFirst = 2;

export function Differences({
  here,
  there,
  differing,
}: {
  /** Short ids. */
  readonly here: string;
  readonly there: string;
  readonly differing: SimilarIssue['differing'];
}) {
  const [all, setAll] = useState(false);
  return (
    <div className={styles.compared}>
      {(all ? differing : differing.slice(0, shownAtFirst)).map((each, index) => {
        const { here: left, there: right } = difference(each.here, each.there);
        return (
          <div key={index} className={styles.both}>
            <Side where={m.where({ kind: each.kind, issue: here })} pieces={left} />
            <Side where={m.where({ kind: each.kind, issue: there })} pieces={right} />
          </div>
        );
      })}
      {differing.length > shownAtFirst && (
        <Button size="small" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? m.showFewer : m.moreDifferences({ count: differing.length - shownAtFirst })}
        </Button>
      )}
    </div>
  );
}

function Side({ where, pieces }: { readonly where: string; readonly pieces: readonly Piece[] }) {
  return (
    <div className={styles.side}>
      <Text tone="faint" small>
        {where}
      </Text>
      {pieces.length === 0 ? (
        <Text tone="faint">{m.nothingHere}</Text>
      ) : (
        <code>{pieces.map(({ text, differs }, index) => (differs ? <mark key={index}>{text}</mark> : text))}</code>
      )}
    </div>
  );
}
