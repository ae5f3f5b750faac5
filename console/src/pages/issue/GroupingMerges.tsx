import { useQuery } from '@tanstack/react-query';
import { goOnFrom } from '../../features/grouping/go-on.ts';
import { type IssueMerge, mergesQuery } from '../../features/grouping/queries.ts';
import { RuleOffer } from '../../features/grouping/RuleOffer.tsx';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import { EventCount } from '../../features/issues/EventCount.tsx';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-grouping.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { UndoIcon } from '../../ui/icons.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** Issues that were merged into this one, each with the way back. Left out where there is none. */
export function GroupingMerges({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const merges = useQuery(mergesQuery(org, issue.shortId));
  const { takeBack } = useGroupingActions();
  const may = useMay('event:write');
  if (merges.data ? merges.data.length === 0 : !merges.error) return null;
  return (
    <div>
      <QueryView query={merges} loading={m.mergesLoading} failed={m.mergesFailed}>
        {(data) => (
          <Panel title={m.merges} id="merges" count={data.length}>
            <RuleOffer issue={issue.shortId} project={issue.project.slug} />
            <DataList open>
              {data.map((merge) => (
                <MergeRow
                  key={merge.issue.id}
                  merge={merge}
                  busy={takeBack.isPending && takeBack.variables.child.id === merge.issue.id}
                  {...(may && {
                    onUnmerge: (button: HTMLElement) => {
                      goOnFrom(button);
                      takeBack.mutate({ child: merge.issue, from: issue });
                    },
                  })}
                />
              ))}
            </DataList>
          </Panel>
        )}
      </QueryView>
    </div>
  );
}

export function MergeRow({
  merge: { issue, events, estimated, hashes, mergedAt, by },
  busy,
  onUnmerge,
}: {
  readonly merge: IssueMerge;
  readonly busy: boolean;
  readonly onUnmerge?: (button: HTMLElement) => void;
}) {
  const when = <Time at={mergedAt} />;
  const name = by?.name || by?.email;
  return (
    <DataRow
      title={
        <span translate="no">
          <Text>{issue.shortId}</Text> {issue.title}
        </span>
      }
      facts={
        <Facts>
          {m.eventCount({ count: events, n: <EventCount of={{ count: events, estimated }} /> })}
          {m.hashCount({ count: hashes })}
          {name ? m.mergedAtBy({ name, when }) : m.mergedAt({ when })}
        </Facts>
      }
      actions={
        onUnmerge && (
          <Button
            size="small"
            icon={<UndoIcon size={14} />}
            aria-label={m.unmergeIssue({ issue: issue.shortId })}
            busy={busy}
            onClick={(event) => onUnmerge(event.currentTarget)}
          >
            {m.unmerge}
          </Button>
        )
      }
    />
  );
}
