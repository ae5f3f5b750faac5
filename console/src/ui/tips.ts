/**
 * One tip for the whole page: any element with `data-tip` shows it on hover and on keyboard focus. Tips repeat or
 * complete what is on the screen (an exact time, a key), so they carry no role; names stand in `aria-label`.
 */
import styles from './tips.module.css';

const delayMs = 300;

export function startTips(): void {
  let box: HTMLDivElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let anchor: Element | undefined;

  const hide = (): void => {
    clearTimeout(timer);
    anchor = undefined;
    if (box) box.hidden = true;
  };

  const show = (element: Element): void => {
    const text = element.getAttribute('data-tip');
    if (!text || !element.isConnected) return;
    if (!box) {
      box = document.createElement('div');
      box.className = styles.tip ?? '';
      box.setAttribute('aria-hidden', 'true');
      document.body.append(box);
    }
    box.textContent = text;
    box.hidden = false;
    const at = element.getBoundingClientRect();
    const own = box.getBoundingClientRect();
    const left = Math.max(6, Math.min(at.left + at.width / 2 - own.width / 2, innerWidth - own.width - 6));
    const below = at.bottom + 6;
    const top = below + own.height > innerHeight ? at.top - own.height - 6 : below;
    box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  };

  const enter = (target: EventTarget | null, wait: number): void => {
    const element = target instanceof Element ? target.closest('[data-tip]') : null;
    if (element === anchor) return;
    hide();
    if (!element) return;
    anchor = element;
    timer = setTimeout(() => show(element), wait);
  };

  document.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'touch') enter(event.target, delayMs);
  });
  document.addEventListener('focusin', (event) => {
    if (event.target instanceof Element && event.target.matches(':focus-visible')) enter(event.target, 0);
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('pointerdown', hide);
  document.addEventListener('keydown', hide);
  document.addEventListener('scroll', hide, { capture: true, passive: true });
}
