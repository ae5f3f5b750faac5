import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CloseIcon } from '../../ui/icons.ts';
import { mergesQuery } from '../../features/grouping/queries.ts';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './GroupingNote.module.css';

const route = getRouteApi('/shell/issues/$issue');

/** For who came by the address of an issue that was merged into this one. The list of merges has the last word, not the address. */
export function GroupingNote({ issue, merged }: { readonly issue: IssueDetail; readonly merged: string }) {
  const org = useOrg();
  const navigate = route.useNavigate();
  const { data: merges } = useQuery(mergesQuery(org, issue.shortId));
  const { takeBack } = useGroupingActions();
  const found = merges?.find((merge) => merge.issue.shortId === merged);
  if (!found) return null;
  return (
    <section className={styles.note} aria-label="Merged issue">
      <p>
        <strong>{merged}</strong> was merged into this issue <Time at={found.mergedAt} />
        {found.by && ` by ${found.by.name || found.by.email}`}.
      </p>
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
        Take back
      </Button>
      <IconButton
        size="small"
        label="Dismiss"
        icon={<CloseIcon size={14} />}
        onClick={() => void navigate({ search: (before) => ({ ...before, merged: undefined }), replace: true })}
      />
    </section>
  );
}
