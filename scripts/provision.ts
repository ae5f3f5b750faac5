/**
 * What the tests need beside npm's packages: Chromium and PostgreSQL from Debian. Installs what is missing where
 * that is allowed (root on a Debian system), else says what to install and fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const needs = [
  { what: 'Chromium', package: 'chromium', present: () => existsSync('/usr/bin/chromium') },
  {
    what: 'PostgreSQL',
    package: 'postgresql',
    present: () => {
      const base = '/usr/lib/postgresql';
      return existsSync(base) && readdirSync(base).some((version) => existsSync(`${base}/${version}/bin/initdb`));
    },
  },
];

const missing = needs.filter((need) => !need.present());
if (missing.length) {
  const packages = missing.map((need) => need.package);
  const names = missing.map((need) => need.what).join(' and ');
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`installing ${names} from Debian's packages …`);
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (args: string[]): number | null =>
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment }).status;
    run(['update', '-qq']);
    run(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  }
  const absent = missing.filter((need) => !need.present());
  if (absent.length) {
    console.error(
      `The tests need ${absent.map((need) => need.what).join(' and ')}. Install with:\n` +
        `  sudo apt-get install ${absent.map((need) => need.package).join(' ')}`,
    );
    process.exit(1);
  }
}
