/** Keys that are pressed before the code of shortcuts is there, which comes after the content or with the first of them. */
import { afterContent } from './content.ts';

export function startShortcuts(): void {
  const kept: KeyboardEvent[] = [];
  let asked: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const { listenForShortcuts } = await import('./shortcuts.ts');
    removeEventListener('keydown', keep);
    listenForShortcuts();
    kept.forEach(pressAgain);
  };
  const ask = (): void => {
    asked ??= load().catch(() => {
      asked = undefined;
    });
  };
  const keep = (event: KeyboardEvent): void => {
    ask();
    const { key, target } = event;
    // Where something has the focus, these did there what they do.
    if (isWriting(event) || (target !== document.body && (key === 'Enter' || key === ' '))) return;
    kept.push(event);
    // The browser has a search of its own for these.
    if (key === '/' || ((event.ctrlKey || event.metaKey) && key === 'k')) event.preventDefault();
  };
  addEventListener('keydown', keep);
  afterContent(ask);
}

/** For those who listen to the whole page: elements had it before. */
function pressAgain(event: KeyboardEvent): void {
  const isFree = dispatchEvent(new KeyboardEvent('keydown', event));
  // The browser does nothing with it. A key before may have moved the focus.
  if (isFree && event.key === 'Enter' && document.activeElement instanceof HTMLElement) document.activeElement.click();
}

export function isWriting(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  const target = event.target;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
  );
}
