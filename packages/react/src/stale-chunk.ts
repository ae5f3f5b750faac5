/**
 * After a deployment a page that is still open asks for files that are no longer there. Loading the page again fixes that; loading it
 * again and again does not fix what is really broken. So: once per page and build, as far as session storage remembers, and
 * not at all where it does not.
 */

import { read } from './read.ts';

const storageKey = 'culprit:reloaded';
/** Reloads that one tab may make in its life, whatever paths and builds they are for. */
const maxReloads = 10;

const messages = /dynamically imported module|importing a module script|preload CSS|^loading (css )?chunk/i;

/** True for the failed load of a part of the app, in the words of each browser and bundler. */
export function isStaleChunk(error: unknown): boolean {
  return (
    /^(ChunkLoad|ScriptLoad)Error$/.test(String(read(error, 'name'))) || messages.test(String(read(error, 'message')))
  );
}

/**
 * Loads the page again when the error is a failed load of a part of it and the page was not loaded again for that before. True: the
 * page is about to go, so show nothing. Another that reloads leaves its mark in session storage under `othersKey`.
 */
export function reloadOnce(error: unknown, othersKey = ''): boolean {
  try {
    // Offline, the browser would put its own page in the place of ours.
    if (!isStaleChunk(error) || !navigator.onLine || sessionStorage.getItem(othersKey)) return false;
    const before = sessionStorage.getItem(storageKey) ?? '';
    const after = `${before}${build()} ${location.pathname}\n`;
    if (before.includes(after.slice(before.length)) || before.split('\n').length > maxReloads) return false;
    sessionStorage.setItem(storageKey, after);
    if (sessionStorage.getItem(storageKey) !== after) return false;
    location.reload();
    return true;
  } catch {
    // Storage that is denied; or a server, where there is no page at all.
    return false;
  }
}

/** The release that the tag of the guard names, else the address of the entry module, which changes with each build. */
function build(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>(
    'script[data-release]:not([data-release=""]),script[type=module][src]',
  );
  return script?.dataset.release ?? script?.src;
}

/**
 * For an error boundary: loads the page again when the error says that a part of the app could not be loaded, at most once per page and
 * build. True: the page is about to go, so show nothing. TanStack Router does the same for the chunks of its routes; its reload counts as
 * this one, so that the two never add up.
 */
export function reloadOnceForStaleChunk(error: unknown): boolean {
  return reloadOnce(error, `tanstack_router_reload:${String(read(error, 'message'))}`);
}
