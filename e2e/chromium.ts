/** Debian's Chromium, headless, with nothing reaching out by itself. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first is Chromium without windows, which costs less. */
const programs = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];

/**
 * What Playwright switches off in the tests' favour, since only the last of these lists counts; and the renderer that
 * Chromium keeps ready for a site that nobody goes to, a process with each navigation.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'SpareRendererForSitePerProcess',
  'IsolateOrigins',
  'site-per-process',
  'Translate',
];

export interface ChromiumOptions {
  /** Scripts are compiled as they are for people, for who measures. */
  readonly optimizing?: boolean;
}

export async function launchChromium({ optimizing = false }: ChromiumOptions = {}): Promise<Browser> {
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
      '--disable-site-isolation-trials',
      `--disable-features=${disabledFeatures.join(',')}`,
      // No page of a test lives long enough to earn what optimising its scripts costs.
      ...(optimizing ? [] : ['--js-flags=--no-opt']),
    ],
  });
}
