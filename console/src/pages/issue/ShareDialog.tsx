import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { changeIssues } from '../../features/triage/queries.ts';
import * as m from '../../messages/issue-actions.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { UnlinkIcon } from '../../ui/icons.ts';
import styles from './ShareDialog.module.css';

/** The secret link of an issue: created, copied, revoked. */
export function ShareDialog({ issue, onClose }: { readonly issue: IssueDetail; readonly onClose: () => void }) {
  const org = useOrg();
  const { shareLinks } = useSession().organization;
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (isPublic: boolean) => changeIssues(org, [issue.id], { isPublic }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['issues', org, 'one', issue.shortId, 'detail'] }),
  });
  const link = issue.shareId ? `${location.origin}/shared/${issue.shareId}` : undefined;
  const hint = shareLinks ? (link ? m.sharedHint : m.shareHint) : link ? m.pausedHint : m.offHint;
  return (
    <Dialog title={m.shareTitle({ issue: issue.shortId })} onClose={onClose}>
      <div className={styles.body}>
        <p>{hint}</p>
        {link ? (
          <>
            <div className={styles.link}>
              <code>{link}</code>
              <CopyButton text={link} label={m.copyShareLink}>
                {m.copy}
              </CopyButton>
            </div>
            <Button
              variant="danger"
              icon={<UnlinkIcon size={14} />}
              busy={change.isPending}
              onClick={() => change.mutate(false)}
            >
              {m.revokeLink}
            </Button>
          </>
        ) : (
          shareLinks && (
            <Button variant="primary" busy={change.isPending} onClick={() => change.mutate(true)}>
              {m.createLink}
            </Button>
          )
        )}
        <FormError error={change.error} />
      </div>
    </Dialog>
  );
}
