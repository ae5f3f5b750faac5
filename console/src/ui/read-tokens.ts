/** Colours for canvases, which know no custom properties; and when they change. */

/** The tokens as they are now, as `rgb(…)` texts. */
export function readTokens<const Name extends `--${string}`>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    // A property of its own would be given back as `light-dark(…)`; a colour is given back resolved.
    probe.style.color = `var(${name})`;
    found[name] = style.color;
  }
  probe.remove();
  return found as Record<Name, string>;
}

/** Calls when the theme is another, by choice or by the system; the returned function ends that. */
export function onThemeChange(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', changed);
  };
}
