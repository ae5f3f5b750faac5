/** Tells the prefetcher which links of the document are in view and which one the reader points at. */
import type { Prefetcher } from './prefetch.ts';

/** Passing over a link is no intent yet, ms. */
const pointDelayMs = 60;
/** Pages draw in several steps; links are looked for once they have settled, ms. */
const settleMs = 100;

/** Watches every link to a page of the console, whoever draws it. The result wants all links in view anew, after a visit. */
export function watchLinks({ want, unwant }: Prefetcher): () => void {
  const inView = new Map<Element, string>();
  const watched = new WeakSet<Element>();

  const enter = (link: Element): void => {
    const href = pageOf(link);
    if (href === undefined) return;
    const known = [...inView.values()].includes(href);
    inView.set(link, href);
    if (!known) want(href, false);
  };
  const leave = (link: Element): void => {
    const href = inView.get(link);
    if (href === undefined) return;
    inView.delete(link);
    if (![...inView.values()].includes(href)) unwant(href, false);
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) (isIntersecting ? enter : leave)(target);
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  const scan = (): void => {
    timer = undefined;
    for (const link of document.querySelectorAll('a[href^="/"]')) {
      // The rail leads everywhere; its pages are fetched once somebody points at one.
      if (watched.has(link) || link.closest('nav')) continue;
      watched.add(link);
      observer.observe(link);
    }
  };
  if (!savesData()) {
    scan();
    new MutationObserver((mutations) => {
      for (const { type, target } of mutations) {
        if (type !== 'attributes' || !inView.has(target as Element)) continue;
        leave(target as Element);
        enter(target as Element);
      }
      timer ??= setTimeout(scan, settleMs);
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['href'] });
  }

  let pointed: { readonly href: string; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  const point = (target: EventTarget | null, delayMs: number): void => {
    const link = target instanceof Element ? target.closest('a[href^="/"]') : null;
    const href = link ? pageOf(link) : undefined;
    if (href === pointed?.href) return;
    if (pointed) {
      clearTimeout(pointed.timer);
      unwant(pointed.href, true);
    }
    pointed = href === undefined ? undefined : { href, timer: setTimeout(() => want(href, true), delayMs) };
  };
  document.addEventListener('pointerover', (event) => point(event.target, pointDelayMs));
  document.addEventListener('focusin', (event) => point(event.target, pointDelayMs));
  document.addEventListener('touchstart', (event) => point(event.target, 0), { passive: true });
  document.documentElement.addEventListener('pointerleave', () => point(null, 0));

  return () => {
    const links = [...inView.keys()];
    inView.clear();
    links.filter((link) => link.isConnected).forEach(enter);
  };
}

/** The address of a page of the console that is not open already. */
function pageOf(link: Element): string | undefined {
  const href = link.getAttribute('href') ?? '';
  if (href.startsWith('/api/') || link.hasAttribute('target') || link.hasAttribute('download')) return undefined;
  return href === location.pathname + location.search ? undefined : href;
}

function savesData(): boolean {
  return (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true;
}
