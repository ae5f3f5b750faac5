import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { mergesQuery } from '../../features/grouping/queries.ts';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-grouping.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.ts';
import { Inline } from '../../ui/Layout.tsx';
import { Time } from '../../ui/Time.tsx';
import { IssueStrip } from './IssueStrip.tsx';

const route = getRouteApi('/shell/issues/$issue');

/** For who came by the address of an issue that was merged into this one. The list of merges has the last word, not the address. */
export function GroupingNote({ issue, merged }: { readonly issue: IssueDetail; readonly merged: string }) {
  const org = useOrg();
  const navigate = route.useNavigate();
  const { data: merges } = useQuery(mergesQuery(org, issue.shortId));
  const { takeBack } = useGroupingActions();
  const may = useMay('event:write');
  const found = merges?.find((merge) => merge.issue.shortId === merged);
  if (!found) return null;
  const when = <Time at={found.mergedAt} />;
  const name = found.by?.name || found.by?.email;
  return (
    <IssueStrip label={m.mergedIssue}>
      <Inline align="apart">
        <p>{name ? m.mergedBy({ issue: merged, name, when }) : m.merged({ issue: merged, when })}</p>
        <Inline>
          {may && (
            <Button
              size="small"
              busy={takeBack.isPending}
              onClick={() =>
                takeBack.mutate(
                  { child: found.issue, from: issue },
                  { onSuccess: () => void navigate({ to: '/issues/$issue', params: { issue: merged }, search: {} }) },
                )
              }
            >
              {m.unmerge}
            </Button>
          )}
          <IconButton
            size="small"
            label={m.dismiss}
            icon={<CloseIcon size={14} />}
            onClick={() => void navigate({ search: (before) => ({ ...before, merged: undefined }), replace: true })}
          />
        </Inline>
      </Inline>
    </IssueStrip>
  );
}
