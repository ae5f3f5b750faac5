import { useEffect, useState } from 'react';
import { lazily } from './lazily.tsx';

/** A page goes on without tips where their code cannot be had. */
const Popup = lazily<Shown>(() => import('./TipPopup.tsx').then((module) => module.TipPopup).catch(() => () => null));

const openMs = 300;
/** Long enough to reach the tip itself, whose text can be read and copied. */
const closeMs = 120;

interface Shown {
  readonly anchor: Element;
  readonly text: string;
}

/**
 * One tooltip for the whole page: any element with `data-tip` has it, on hover and on keyboard focus. Tips repeat or
 * complete what is on the screen (an exact time, a key), so they carry no role; names stand in `aria-label`.
 */
export function Tips() {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => watch(setShown), []);
  return shown && <Popup {...shown} />;
}

function watch(show: (shown: Shown | undefined) => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let anchor: Element | undefined;

  const hide = (): void => {
    clearTimeout(timer);
    anchor = undefined;
    show(undefined);
  };
  const enter = (target: EventTarget | null, wait: number): void => {
    const element = target instanceof Element ? target.closest('[data-tip], [data-tip-popup]') : null;
    clearTimeout(timer);
    if (element === anchor || element?.matches('[data-tip-popup]')) return;
    if (!element) {
      if (anchor) timer = setTimeout(hide, closeMs);
      return;
    }
    hide();
    anchor = element;
    Popup.preload();
    timer = setTimeout(() => {
      const text = element.getAttribute('data-tip');
      if (text && element.isConnected) show({ anchor: element, text });
    }, wait);
  };

  const isFocusShown = (target: EventTarget | null): boolean =>
    target instanceof Element && target.matches(':focus-visible');
  document.addEventListener(
    'pointerover',
    ({ target, pointerType }) => pointerType !== 'touch' && enter(target, openMs),
    { signal },
  );
  document.addEventListener('focusin', ({ target }) => isFocusShown(target) && enter(target, 0), { signal });
  for (const type of ['focusout', 'pointerdown', 'keydown']) document.addEventListener(type, hide, { signal });
  document.addEventListener('scroll', hide, { capture: true, passive: true, signal });
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
