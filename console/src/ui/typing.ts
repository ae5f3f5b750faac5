/** Keeps what is typed between the key that opens a box and the box. */

let typed = '';
let isSent = false;
let cancel: (() => void) | undefined;

const take = (event: KeyboardEvent): void => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || isSent) return;
  if (key === 'Escape') {
    const cancelled = cancel;
    stopKeeping();
    cancelled?.();
  } else if (key === 'Enter') isSent = true;
  else if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** From now on what is typed is kept, until the box takes it. Escape ends that and calls `onCancel`; a `box` that cannot be loaded just ends it. */
export function keepTyped(onCancel: () => void, box: Promise<unknown>): void {
  if (cancel) return;
  cancel = onCancel;
  addEventListener('keydown', take, true);
  box.catch(() => {
    if (cancel === onCancel) stopKeeping();
  });
}

/** What was typed, and whether Enter came after it. From now on keys go where they always go. */
export function stopKeeping(): { readonly text: string; readonly isSent: boolean } {
  removeEventListener('keydown', take, true);
  const kept = { text: typed, isSent };
  cancel = undefined;
  typed = '';
  isSent = false;
  return kept;
}
