import { useState } from 'react';

/** Where the focus goes when a popup closes: back, unless it has gone elsewhere by then. */
export function focusAfter(popup: Element | null, returnTo: HTMLElement | null): HTMLElement | false {
  const { activeElement, body } = document;
  const isLost = !activeElement || activeElement === body || popup?.contains(activeElement);
  return (isLost && returnTo) || false;
}

/** For popups without a button of their own: what has the focus when they are asked for. */
export function useFocused(): HTMLElement | null {
  const [focused] = useState(() => document.activeElement);
  return focused instanceof HTMLElement && focused !== document.body ? focused : null;
}
