/** Debian's Chromium, headless, with nothing reaching out by itself. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first is Chromium without windows, which costs less. */
const programs = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];

export async function launchChromium(): Promise<Browser> {
  const executablePath = programs.find((program) => existsSync(program));
  if (!executablePath)
    throw new Error('Chromium is missing: run "npm test", or "sudo apt-get install chromium-headless-shell"');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--force-prefers-reduced-motion',
    ],
  });
}
