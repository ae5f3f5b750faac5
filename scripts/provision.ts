/**
 * What the tests need beside npm's packages: Chromium and PostgreSQL from Debian. Installs what is missing where
 * that is allowed (root on a Debian system), else says what to install and fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

interface Need {
  readonly what: string;
  /** Each of them will do; the first that can be had is taken. */
  readonly packages: readonly string[];
  present(): boolean;
}

const needs: readonly Need[] = [
  {
    what: 'Chromium',
    // Without windows it needs a fifth less of the processor for the same pages.
    packages: ['chromium-headless-shell', 'chromium'],
    present: () => existsSync('/usr/lib/chromium/chromium-headless-shell') || existsSync('/usr/bin/chromium'),
  },
  {
    what: 'PostgreSQL',
    packages: ['postgresql'],
    present: () => {
      const base = '/usr/lib/postgresql';
      return existsSync(base) && readdirSync(base).some((version) => existsSync(`${base}/${version}/bin/initdb`));
    },
  },
];

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
}

const missing = needs.filter((need) => !need.present());
if (missing.length && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  console.log(`installing ${missing.map((need) => need.what).join(' and ')} from Debian's packages …`);
  aptGet('update', '-qq');
  for (const need of missing) {
    for (const name of need.packages) {
      if (!need.present()) aptGet('install', '-y', '-qq', '--no-install-recommends', name);
    }
  }
}
const absent = missing.filter((need) => !need.present());
if (absent.length) {
  console.error(
    `The tests need ${absent.map((need) => need.what).join(' and ')}. Install with:\n` +
      `  sudo apt-get install ${absent.map((need) => need.packages[0]).join(' ')}`,
  );
  process.exit(1);
}
