/** The load-failure screen before React, or without it. */
import { failureReport } from '../failure-report.ts';
import { screenStyle } from '../screen-style.ts';
import { digestLine, failureText } from '../text.ts';

/**
 * Lays the screen over the page and hides what else is in it, root and all, without touching it: an app that comes up
 * late finds its root as it was. Gives the way back.
 */
export function paintScreen(digest: string | undefined, eventId: string | undefined): () => void {
  const time = new Date();
  const message = failureText({ host: location.hostname, digest });
  const number = digestLine(digest);
  const copy = button('Copy', () => {
    const report = failureReport({ message, digest, eventId, url: location.href, time });
    const select = (): void => {
      const text = element('textarea', 'text', report);
      text.setAttribute('aria-label', 'Report to copy');
      copy.replaceWith(text);
      text.select();
    };
    // There is no clipboard on pages without TLS, and it may be denied.
    if (navigator.clipboard) navigator.clipboard.writeText(report).then(() => (copy.textContent = 'Copied'), select);
    else select();
  });
  const alert = element('div', 'line', element('h1', 'heading', message), number ? element('p', 'line', number) : '');
  alert.setAttribute('role', 'alert');
  const screen = element(
    'main',
    'screen',
    alert,
    eventId ? element('p', 'line', 'Event ID: ', element('code', 'line', eventId)) : '',
    button('Try again', () => location.reload()),
    ' ',
    copy,
  );
  screen.tabIndex = -1;

  const hidden = Array.from(document.body.children as HTMLCollectionOf<HTMLElement>).filter((child) => !child.hidden);
  // `inert` as well, as a stylesheet may show what is hidden; the screen covers it.
  const toggle = (away: boolean): void => hidden.forEach((child) => (child.hidden = child.inert = away));
  toggle(true);
  document.body.append(screen);
  screen.focus();
  return () => {
    screen.remove();
    toggle(false);
  };
}

function button(label: string, act: () => void): HTMLButtonElement {
  const made = element('button', 'button', label);
  made.addEventListener('click', act);
  return made;
}

function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  style: keyof typeof screenStyle,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  made.style.cssText = screenStyle[style];
  made.append(...children);
  return made;
}
