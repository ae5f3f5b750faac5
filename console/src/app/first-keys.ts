/** Keys that are pressed before the code of shortcuts is there, which comes after the content or with the first of them. */
import { keepTyped, stopKeeping } from '../ui/typing.ts';
import { afterContent } from './content.ts';

const modifiers: ReadonlySet<string> = new Set(['Alt', 'AltGraph', 'Control', 'Meta', 'Shift']);

const opensPalette = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === '/' || ((ctrlKey || metaKey) && key === 'k');

export function startShortcuts(): void {
  const kept: KeyboardEvent[] = [];
  // What is typed for the palette is no shortcut.
  let isOver = false;
  let asked: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const { listenForShortcuts } = await import('./shortcuts.ts');
    removeEventListener('keydown', keep);
    listenForShortcuts();
    const last = kept.at(-1);
    const typed = last && opensPalette(last) ? stopKeeping() : undefined;
    const isTaken = kept.map(pressAgain).at(-1) ?? false;
    // Nobody but the palette may have what was typed for it.
    if (isTaken && typed) for (const key of [...typed.text, ...(typed.isSent ? ['Enter'] : [])]) press({ key });
  };
  const ask = (): Promise<void> => {
    asked ??= load();
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  };
  const keep = (event: KeyboardEvent): void => {
    const loading = ask();
    const { key, target } = event;
    // Where something has the focus, these did there what they do.
    if (isWriting(event) || (target !== document.body && (key === 'Enter' || key === ' '))) return;
    if (isOver || modifiers.has(key)) return;
    if (opensPalette(event)) {
      // The browser has a search of its own for these.
      event.preventDefault();
      isOver = true;
      kept.push(event);
      const forget = (): void => {
        kept.pop();
        isOver = false;
      };
      keepTyped(forget, loading);
    } else kept.push(event);
  };
  addEventListener('keydown', keep);
  afterContent(() => void ask().catch(() => undefined));
}

/** Whether somebody took it. Where a key before led into a field, it is typing, and no shortcut. */
function press(init: KeyboardEventInit): boolean {
  const { activeElement } = document;
  const to = activeElement && isField(activeElement) ? activeElement : window;
  return !to.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
}

/** For those who listen to the whole page: elements had it before. Whether somebody took it. */
function pressAgain({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isTaken = press({ key, code, ctrlKey, metaKey, altKey, shiftKey });
  // The browser does nothing with it. A key before may have moved the focus.
  if (!isTaken && key === 'Enter' && document.activeElement instanceof HTMLElement) document.activeElement.click();
  return isTaken;
}

export function isWriting(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  return event.target instanceof Element && isField(event.target);
}

const isField = (element: Element): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable || element.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'));
