import { useState, type KeyboardEvent } from 'react';

/** What a button that opens a popup spreads into itself. */
export interface TriggerProps {
  readonly ref: (element: HTMLElement | null) => void;
  readonly onClick: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly 'aria-haspopup': 'menu' | 'dialog' | 'listbox';
  readonly 'aria-expanded': boolean;
}

/** What an open popup must know of the button that it belongs to. */
export interface PopupProps {
  readonly anchor: Element | null;
  /** What has the focus again when it is closed. */
  readonly returnTo: HTMLElement | null;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean, details?: ChangeDetails) => void;
}

interface ChangeDetails {
  readonly reason: string;
  readonly event: Event;
  readonly cancel: () => void;
}

/**
 * A popup whose code comes when its button is about to be used: pointed at, focused or, at the latest, pressed. A press
 * that is faster than the code is kept, and the popup opens when it is there.
 */
export function usePopup(
  kind: TriggerProps['aria-haspopup'],
  preload: () => void,
): {
  readonly trigger: TriggerProps;
  readonly popup: PopupProps;
  /** Whether it was ever open, and so has to be in the tree. */
  readonly isUsed: boolean;
  readonly setOpen: (open: boolean) => void;
} {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  /** Undefined before its first use. */
  const [used, change] = useState<boolean>();
  const open = used === true;
  return {
    trigger: {
      ref: setAnchor,
      onClick: () => change(!open),
      onPointerEnter: preload,
      onFocus: preload,
      onKeyDown: (event) => {
        if (kind === 'dialog' || open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
        event.preventDefault();
        change(true);
      },
      'aria-haspopup': kind,
      'aria-expanded': open,
    },
    popup: {
      anchor,
      returnTo: anchor,
      open,
      onOpenChange: (next, details) => {
        // A press on the button itself is the button's to answer.
        const isOwn = details?.event.target instanceof Node && anchor?.contains(details.event.target);
        if (!next && details?.reason === 'outside-press' && isOwn) details.cancel();
        else change(next);
      },
    },
    isUsed: used !== undefined,
    setOpen: change,
  };
}
