/** Which Chromium tests drive, and how it is started. */
import { existsSync } from 'node:fs';

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

/** None where it is not installed. */
export const chromiumProgram = (): string | undefined => programs.find((program) => existsSync(program));

export const chromiumArguments: readonly string[] = [
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
];
