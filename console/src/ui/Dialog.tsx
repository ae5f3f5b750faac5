/** Base UI's dialog in our clothes. Import it lazily: it is not part of the first load. */
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import * as m from '../messages/dialog.ts';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import styles from './Dialog.module.css';
import { CloseIcon } from './icons.ts';

export function Dialog({
  title,
  titleHidden = false,
  size = 'normal',
  initialFocus,
  onClose,
  children,
}: {
  readonly title: string;
  readonly titleHidden?: boolean;
  readonly size?: 'normal' | 'wide' | 'palette';
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={cx(styles.popup, styles[size])} {...(initialFocus && { initialFocus })}>
          {titleHidden ? (
            <Base.Title className="visually-hidden">{title}</Base.Title>
          ) : (
            <header className={styles.header}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close render={<IconButton size="small" label={m.close} icon={<CloseIcon size={16} />} />} />
            </header>
          )}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** What stands in a dialog, away from its edges. */
export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}
