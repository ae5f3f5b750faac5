/** Debian's Chromium, headless, with nothing reaching out by itself. */
import { type Browser, chromium } from 'playwright-core';
import { chromiumArguments, chromiumProgram } from './chromium-program.ts';

export interface ChromiumOptions {
  /** Scripts are compiled as they are for people, for who measures: a browser of its own. */
  readonly optimizing?: boolean;
}

let shared: Promise<Browser> | undefined;

/** The same for all files of tests that a process runs, whose contexts have nothing in common; it ends with the process. */
export async function launchChromium({ optimizing = false }: ChromiumOptions = {}): Promise<Browser> {
  // No page of a test lives long enough to earn what optimising its scripts costs.
  if (optimizing) return launch([]);
  const open = (): Promise<Browser> => launch(['--js-flags=--no-opt']).then(keepOpen);
  shared = (shared ?? open()).then((browser) => (browser.isConnected() ? browser : open()));
  return shared;
}

async function launch(more: readonly string[]): Promise<Browser> {
  const executablePath = chromiumProgram();
  if (!executablePath)
    throw new Error('Chromium is missing: run "npm test", or "sudo apt-get install chromium-headless-shell"');
  return chromium.launch({ executablePath, args: [...chromiumArguments, ...more] });
}

/** A file that closes it is done with its contexts. */
function keepOpen(browser: Browser): Browser {
  return Object.assign(browser, {
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  });
}
