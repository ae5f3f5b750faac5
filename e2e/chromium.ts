/** Debian's Chromium, headless, with nothing reaching out by itself. */
import { type Browser, chromium } from 'playwright-core';
import { chromiumArguments, chromiumProgram } from './chromium-program.ts';

export interface ChromiumOptions {
  /** Scripts are compiled as they are for people, for who measures. */
  readonly optimizing?: boolean;
}

export async function launchChromium({ optimizing = false }: ChromiumOptions = {}): Promise<Browser> {
  const executablePath = chromiumProgram();
  if (!executablePath)
    throw new Error('Chromium is missing: run "npm test", or "sudo apt-get install chromium-headless-shell"');
  return chromium.launch({
    executablePath,
    args: [
      ...chromiumArguments,
      // No page of a test lives long enough to earn what optimising its scripts costs.
      ...(optimizing ? [] : ['--js-flags=--no-opt']),
    ],
  });
}
