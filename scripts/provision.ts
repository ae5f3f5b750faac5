/**
 * What the tests need beside what `npm ci` installs: more of npm's packages, and Chromium, PostgreSQL, NATS, two identity
 * providers, Prometheus, Bugsink, proxies, an S3 server, Helm and SDKs of Python, from Debian, PyPI and Go's modules.
 * Installs what is missing where that is allowed (root on a Debian system), else says what to install and fails.
 */
import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { composeDir, composeModule, hasCompose } from '../server/test/compose/places.ts';
import {
  hasHelm,
  hasKubernetesValidate,
  helmDir,
  helmModule,
  kubernetesValidateDir,
  kubernetesValidateVersion,
} from '../server/test/helm/places.ts';
import { prometheusDir, prometheusProgram } from '../server/test/monitoring/places.ts';
import { hasNewestNats, natsDir, natsProgram, newestNatsDir } from '../server/test/nats/places.ts';
import { proxies, proxyDir, proxyProgram } from '../server/test/proxies/places.ts';
import {
  pysaml2Dir,
  pysaml2Python,
  pysaml2Ready,
  pysaml2Version,
  simplesamlphpDir,
  simplesamlphpRoot,
} from '../server/test/saml/places.ts';
import { makeBugsink } from '../server/test/imports/make-bugsink.ts';
import { bugsinkReady } from '../server/test/imports/places.ts';
import { versitygwDir, versitygwModule, versitygwProgram } from '../server/test/s3/places.ts';
import { senders } from './recorder/languages/senders.ts';
import { installTestPackages } from './test-packages.ts';

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
  {
    what: 'PHP',
    packages: ['php-cli'],
    present: () => existsSync('/usr/bin/php'),
  },
  {
    what: 'the XML extension of PHP',
    packages: ['php-xml'],
    present: () => globSync('/usr/lib/php/*/dom.so').length > 0,
  },
  {
    what: 'xmlsec1',
    packages: ['xmlsec1'],
    present: () => existsSync('/usr/bin/xmlsec1'),
  },
  {
    what: 'Go 1.21 or newer',
    packages: ['golang-go'],
    present: () => versitygwProgram() !== undefined || goPresent(),
  },
  {
    what: 'Python with venv',
    packages: ['python3-venv'],
    present: () => spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0,
  },
];

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
}

/** Unpacked and not installed: installed, they start servers at once. */
function unpack(name: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const directory = mkdtempSync(join(dirname(to), 'making-'));
  const options: SpawnSyncOptions = { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] };
  // As whoever runs it: the sandbox may not write here.
  const fetched = (): string | undefined => {
    spawnSync('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', '-qq', name], options);
    return globSync('*.deb', { cwd: directory })[0];
  };
  let file = fetched();
  // Where nothing else was missing, nobody has asked yet what there is.
  if (!file && process.getuid?.() === 0) {
    aptGet('update', '-qq');
    file = fetched();
  }
  if (file && spawnSync('dpkg-deb', ['-x', file, 'root'], options).status === 0) {
    rmSync(to, { recursive: true, force: true });
    renameSync(join(directory, 'root'), to);
  }
  rmSync(directory, { recursive: true, force: true });
}

function installPysaml2(): void {
  const options: SpawnSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
  rmSync(pysaml2Dir, { recursive: true, force: true });
  spawnSync('python3', ['-m', 'venv', pysaml2Dir], options);
  const wanted = ['install', '-q', '--disable-pip-version-check', `pysaml2==${pysaml2Version}`];
  if (spawnSync(pysaml2Python, ['-m', 'pip', ...wanted], options).status === 0) writeFileSync(pysaml2Ready, '');
}

/** Go fetches a newer one of itself where the module wants it; before 1.21 it could not. */
function goPresent(): boolean {
  const [, minor] =
    /go1\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8', env: withGo }).stdout ?? '') ?? [];
  return Number(minor) >= 21;
}

/** Where Go's own archive puts it, too. Without C, as those who make these do: the same wherever it is made. */
const withGo = { ...process.env, CGO_ENABLED: '0', PATH: `${process.env.PATH}:/usr/local/go/bin` };

function goInstall(module: string, directory: string): void {
  spawnSync('go', ['install', '-trimpath', '-ldflags=-s -w', module], {
    env: { ...withGo, GOBIN: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function installKubernetesValidate(): void {
  const options: SpawnSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
  rmSync(kubernetesValidateDir, { recursive: true, force: true });
  spawnSync('python3', ['-m', 'venv', kubernetesValidateDir], options);
  const wanted = ['install', '-q', '--disable-pip-version-check', `kubernetes-validate==${kubernetesValidateVersion}`];
  spawnSync(join(kubernetesValidateDir, 'bin/python'), ['-m', 'pip', ...wanted], options);
}

const ofPython = senders.filter((sender) => sender.language === 'python');

interface Made {
  readonly what: string;
  readonly instead: string;
  present(): boolean;
  make(): void;
}

/** What lies in a cache of its own, for which nobody has to be root. */
const madeHere: readonly Made[] = [
  {
    what: 'SimpleSAMLphp',
    instead: 'sudo apt-get install simplesamlphp',
    present: () => simplesamlphpRoot() !== undefined,
    make: () => unpack('simplesamlphp', simplesamlphpDir),
  },
  {
    what: 'Prometheus',
    instead: 'sudo apt-get install prometheus',
    present: () => prometheusProgram('promtool') !== undefined,
    make: () => unpack('prometheus', prometheusDir),
  },
  ...proxies.map((name) => ({
    what: name,
    instead: `sudo apt-get install ${name}`,
    present: () => proxyProgram(name) !== undefined,
    make: () => unpack(name, proxyDir(name)),
  })),
  {
    what: 'nats-server',
    instead: 'sudo apt-get install nats-server && sudo systemctl disable --now nats-server',
    present: () => natsProgram() !== undefined,
    make: () => unpack('nats-server', natsDir),
  },
  {
    what: 'the newest nats-server',
    instead: `GOBIN=${newestNatsDir} go install github.com/nats-io/nats-server/v2@v2.15.3, with Go of https://go.dev/dl`,
    present: hasNewestNats,
    make: () => goInstall('github.com/nats-io/nats-server/v2@v2.15.3', newestNatsDir),
  },
  {
    what: 'versitygw',
    instead: `GOBIN=${versitygwDir} CGO_ENABLED=0 go install ${versitygwModule}`,
    present: () => versitygwProgram() !== undefined,
    make: () => goInstall(versitygwModule, versitygwDir),
  },
  {
    what: "the Compose specification's reader",
    instead: `GOBIN=${composeDir} CGO_ENABLED=0 go install ${composeModule}`,
    present: hasCompose,
    make: () => goInstall(composeModule, composeDir),
  },
  {
    what: 'Helm',
    instead: `GOBIN=${helmDir} CGO_ENABLED=0 go install ${helmModule}`,
    present: hasHelm,
    make: () => goInstall(helmModule, helmDir),
  },
  {
    what: 'kubernetes-validate',
    instead: `python3 -m venv ${kubernetesValidateDir} && ${kubernetesValidateDir}/bin/python -m pip install kubernetes-validate==${kubernetesValidateVersion}`,
    present: hasKubernetesValidate,
    make: installKubernetesValidate,
  },
  {
    what: 'pysaml2',
    instead: `python3 -m venv ${pysaml2Dir} && ${pysaml2Python} -m pip install pysaml2==${pysaml2Version} && touch ${pysaml2Ready}`,
    present: () => existsSync(pysaml2Ready),
    make: installPysaml2,
  },
  {
    what: 'Bugsink',
    instead: 'node scripts/provision.ts, where PyPI can be reached',
    present: () => existsSync(bugsinkReady),
    make: makeBugsink,
  },
  {
    what: 'SDKs of Python',
    instead: 'npm run record-fixtures -- python && git restore fixtures',
    present: () => ofPython.every((sender) => sender.isFetched?.()),
    make: () => {
      for (const sender of ofPython) sender.make();
    },
  },
];

if (!installTestPackages()) process.exit(1);

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

for (const one of madeHere) {
  if (one.present()) continue;
  console.log(`fetching ${one.what} …`);
  try {
    one.make();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}
const unmade = madeHere.filter((one) => !one.present());
if (unmade.length) {
  console.error(`The tests need ${unmade.map((one) => one.what).join(' and ')}. Install with:`);
  for (const { instead } of unmade) console.error(`  ${instead}`);
  process.exit(1);
}
