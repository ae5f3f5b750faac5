import { CloseIcon } from '../../ui/icons.ts';
import type { Invited } from '../../features/people/queries.ts';
import * as m from '../../messages/members.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './InviteLink.module.css';

/** The link of an invitation, the only time that it is shown. */
export function InviteLink({
  invited: { email, inviteLink, mailed },
  onClose,
}: {
  readonly invited: Invited;
  readonly onClose: () => void;
}) {
  return (
    <Notice tone="ok" says="status">
      <div className={styles.head}>
        <p>{(mailed ? m.linkMailed : m.linkToSend)({ email: <strong translate="no">{email}</strong> })}</p>
        <IconButton size="small" label={m.hideLink} icon={<CloseIcon size={14} />} onClick={onClose} />
      </div>
      <CopyLine text={inviteLink} label={m.copyLink} />
    </Notice>
  );
}
