import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { CloseIcon } from './icons.ts';
import styles from './SidePanel.module.css';

/**
 * What goes with the row that was chosen, beside the rows; a sheet over them on narrow screens. `focused` gives it the
 * focus when it comes.
 */
export function SidePanel({
  label,
  title,
  close,
  closeTip,
  focused = false,
  wide = false,
  onClose,
  children,
}: {
  readonly label: string;
  readonly title: ReactNode;
  /** What its button says. */
  readonly close: string;
  readonly closeTip?: string;
  readonly focused?: boolean;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focused) panel.current?.focus();
  }, [focused]);
  return (
    <aside ref={panel} className={cx(styles.panel, wide && styles.wide)} aria-label={label} tabIndex={-1}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <IconButton
          size="small"
          label={close}
          {...(closeTip !== undefined && { tip: closeTip })}
          icon={<CloseIcon size={16} />}
          onClick={onClose}
        />
      </header>
      {children}
    </aside>
  );
}
