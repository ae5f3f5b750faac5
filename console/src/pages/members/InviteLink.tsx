import { CloseIcon } from '../../ui/icons.ts';
import type { Invited } from '../../features/people/queries.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import styles from './MembersPage.module.css';

/** The link of an invitation, the only time that it is shown. */
export function InviteLink({
  invited: { email, inviteLink, mailed },
  onClose,
}: {
  readonly invited: Invited;
  readonly onClose: () => void;
}) {
  return (
    <output className={styles.fresh}>
      <div className={styles.freshHead}>
        <p>
          {mailed ? (
            <>
              <strong>{email}</strong> gets this link by mail. You can also send it yourself.
            </>
          ) : (
            <>
              Send this link to <strong>{email}</strong>.
            </>
          )}{' '}
          It works once, within seven days, and cannot be shown again.
        </p>
        <IconButton size="small" label="Hide the link" icon={<CloseIcon size={14} />} onClick={onClose} />
      </div>
      <div className={styles.link}>
        <code>{inviteLink}</code>
        <CopyButton text={inviteLink} label="Copy link">
          Copy
        </CopyButton>
      </div>
    </output>
  );
}
