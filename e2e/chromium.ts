/** Debian's Chromium, headless, with nothing reaching out by itself. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

export async function launchChromium(): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error('Chromium is missing: run "npm test", or "sudo apt-get install chromium"');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--force-prefers-reduced-motion',
    ],
  });
}
