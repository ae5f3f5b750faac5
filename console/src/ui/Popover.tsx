import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { lazily } from './lazily.tsx';
import { type TriggerProps, usePopup } from './use-popup.ts';

const Popup = lazily(async () => (await import('./PopoverPopup.tsx')).PopoverPopup);

/**
 * A panel at a button, for anything but a list of actions, which is a `Menu`. `renderTrigger` gets what opens it; `openRequest`
 * counts up to open it by a key.
 */
export function Popover({
  renderTrigger,
  label,
  align = 'start',
  openRequest = 0,
  className,
  children,
}: {
  readonly renderTrigger: (props: TriggerProps) => ReactNode;
  readonly label: string;
  readonly align?: 'start' | 'end';
  readonly openRequest?: number;
  readonly className?: string | undefined;
  readonly children: (close: () => void) => ReactNode;
}) {
  const { trigger, popup, isUsed, setOpen } = usePopup('dialog', Popup.preload);
  const openByKey = useEffectEvent(() => setOpen(true));
  useEffect(() => {
    if (openRequest > 0) openByKey();
  }, [openRequest]);
  return (
    <>
      {renderTrigger(trigger)}
      {isUsed && (
        <Popup {...popup} label={label} align={align} className={className}>
          {children}
        </Popup>
      )}
    </>
  );
}
