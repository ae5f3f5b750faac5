import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UnlinkIcon } from '../../ui/icons.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { changeIssues } from '../../features/triage/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/FormError.tsx';
import styles from './ShareDialog.module.css';

/** The secret link of an issue: made, copied, taken back. */
export function ShareDialog({ issue, onClose }: { readonly issue: IssueDetail; readonly onClose: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (isPublic: boolean) => changeIssues(org, [issue.id], { isPublic }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['issues', org, 'one', issue.shortId, 'detail'] }),
  });
  const link = issue.shareId ? `${location.origin}/shared/${issue.shareId}` : undefined;
  return (
    <Dialog title={`Share ${issue.shortId}`} onClose={onClose}>
      <div className={styles.body}>
        <p>
          {link
            ? 'Anyone with this link sees the error, its stack trace and its counts without signing in. Users, IP addresses and request headers are not shown.'
            : 'A link lets people without an account see the error, its stack and its numbers. No person is shown, and the link can be taken back at any time.'}
        </p>
        {link ? (
          <>
            <div className={styles.link}>
              <code>{link}</code>
              <CopyButton text={link} label="Copy the link">
                Copy
              </CopyButton>
            </div>
            <Button
              variant="danger"
              icon={<UnlinkIcon size={14} />}
              busy={change.isPending}
              onClick={() => change.mutate(false)}
            >
              Take the link back
            </Button>
          </>
        ) : (
          <Button variant="primary" busy={change.isPending} onClick={() => change.mutate(true)}>
            Make a link
          </Button>
        )}
        <FormError error={change.error} />
      </div>
    </Dialog>
  );
}
