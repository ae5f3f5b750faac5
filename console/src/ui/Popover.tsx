import { useEffect, useId, useRef, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Popover.module.css';

/**
 * A panel on the browser's own top layer: Escape, outside clicks and focus return are the platform's. `trigger` gets the
 * attributes that open it. `open` counts up to open it from elsewhere (a shortcut).
 */
export function Popover({
  trigger,
  label,
  align = 'start',
  openRequest = 0,
  className,
  children,
}: {
  readonly trigger: (props: { popoverTarget: string; 'aria-haspopup': 'dialog' }) => ReactNode;
  readonly label: string;
  readonly align?: 'start' | 'end';
  readonly openRequest?: number;
  readonly className?: string;
  readonly children: (close: () => void) => ReactNode;
}) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const anchor = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const place = (event: Event): void => {
      if ((event as ToggleEvent).newState !== 'open' || !anchor.current) return;
      const at = anchor.current.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      const left = align === 'end' ? at.right - own.width : at.left;
      const below = at.bottom + 4;
      element.style.left = `${Math.max(8, Math.min(left, innerWidth - own.width - 8))}px`;
      element.style.top = `${below + own.height > innerHeight - 8 ? Math.max(8, at.top - own.height - 4) : below}px`;
      element.querySelector<HTMLElement>('[autofocus], [aria-current="true"], input, button, a')?.focus();
    };
    element.addEventListener('toggle', place);
    return () => element.removeEventListener('toggle', place);
  }, [align]);

  useEffect(() => {
    if (openRequest > 0) panel.current?.showPopover();
  }, [openRequest]);

  return (
    <>
      <span ref={anchor} className={styles.anchor}>
        {trigger({ popoverTarget: id, 'aria-haspopup': 'dialog' })}
      </span>
      <div ref={panel} id={id} popover="auto" role="dialog" aria-label={label} className={cx(styles.panel, className)}>
        {children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
