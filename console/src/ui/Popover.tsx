import { useEffect, useId, useRef, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Popover.module.css';

/**
 * A panel on the browser's own top layer: Escape, outside clicks and focus return are the platform's; arrow keys walk its
 * buttons and links. `renderTrigger` gets the attributes that open it; `openRequest` counts up to open it by a key.
 */
export function Popover({
  renderTrigger,
  label,
  align = 'start',
  openRequest = 0,
  className,
  children,
}: {
  readonly renderTrigger: (props: { popoverTarget: string; 'aria-haspopup': 'dialog' }) => ReactNode;
  readonly label: string;
  readonly align?: 'start' | 'end';
  readonly openRequest?: number;
  readonly className?: string;
  readonly children: (close: () => void) => ReactNode;
}) {
  const id = useId();
  const panel = useRef<HTMLDialogElement>(null);
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
      (
        element.querySelector<HTMLElement>('[aria-current="true"]') ??
        element.querySelector<HTMLElement>('button, a, input')
      )?.focus();
    };
    element.addEventListener('toggle', place);
    element.addEventListener('keydown', walk);
    return () => {
      element.removeEventListener('toggle', place);
      element.removeEventListener('keydown', walk);
    };
  }, [align]);

  useEffect(() => {
    if (openRequest > 0) panel.current?.showPopover();
  }, [openRequest]);

  return (
    <>
      <span ref={anchor} className={styles.anchor}>
        {renderTrigger({ popoverTarget: id, 'aria-haspopup': 'dialog' })}
      </span>
      <dialog ref={panel} id={id} popover="auto" aria-label={label} className={cx(styles.panel, className)}>
        {children(() => document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.hidePopover())}
      </dialog>
    </>
  );
}

function walk(this: HTMLDialogElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.target instanceof HTMLInputElement) return;
  const rows = [...this.querySelectorAll<HTMLElement>('button, a')];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[(at + step + rows.length) % rows.length]?.focus();
  event.preventDefault();
}
