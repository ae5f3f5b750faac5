/** The container image on this machine: unpacked by umoci, run as its configuration says, with nothing to write to but its data. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** By Debian's packages; the image itself asks for none of them. */
const tools = { skopeo: 'skopeo', umoci: 'umoci', unshare: 'util-linux', setpriv: 'util-linux', nsenter: 'util-linux' };

export function checkTools(): void {
  const missing = Object.entries(tools).flatMap(([tool, name]) => {
    try {
      execFileSync(tool, ['--version'], { stdio: 'ignore' });
      return [];
    } catch {
      return [name];
    }
  });
  if (missing.length) throw new Error(`sudo apt-get install ${[...new Set(missing)].join(' ')}`);
  if (process.getuid?.() !== 0) throw new Error('run this as root: it mounts a read-only root and changes its user');
}

export const skopeo = (...words: string[]): unknown =>
  JSON.parse(execFileSync('skopeo', words, { encoding: 'utf8' })) as unknown;

interface Configured {
  readonly process: { readonly args: readonly string[]; readonly env: readonly string[] };
}

/** Of the bundle that umoci made; mounts stay within what is started here. */
const mounts = `
set -e
root=$1 data=$2; shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero urandom random; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount --bind "$data" "$root/var/lib/culprit"
exec "$@"
`;

const fields = (status: string): Record<string, string> =>
  Object.fromEntries([...status.matchAll(/^(\w+):\s+(.*)$/gm)].map(([, name, value]) => [name, value]));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly output: string;
}

export class Unpacked {
  readonly dir = mkdtempSync(join(tmpdir(), 'culprit-image-'));
  readonly data = join(this.dir, 'data');
  readonly #configured: Configured;
  readonly #user: string;

  constructor(archive: string, tag: string) {
    const layout = join(this.dir, 'layout');
    mkdirSync(layout);
    execFileSync('tar', ['-xf', archive, '-C', layout]);
    execFileSync('umoci', ['unpack', '--image', `${layout}:${tag}`, join(this.dir, 'bundle')]);
    rmSync(layout, { recursive: true });
    const config = JSON.parse(readFileSync(join(this.dir, 'bundle/config.json'), 'utf8')) as Configured & {
      readonly process: { readonly user: { readonly uid: number } };
    };
    this.#configured = config;
    this.#user = String(config.process.user.uid);
    mkdirSync(this.data, { mode: 0o700 });
    chownSync(this.data, config.process.user.uid, config.process.user.uid);
  }

  get root(): string {
    return join(this.dir, 'bundle/rootfs');
  }

  #env(more: Readonly<Record<string, string>>): string[] {
    return [...this.#configured.process.env, ...Object.entries(more).map(([name, value]) => `${name}=${value}`)];
  }

  /** With other arguments than those of the image, or with these. */
  start(env: Readonly<Record<string, string>>, args: readonly string[] = this.#configured.process.args): ChildProcess {
    const own = ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-c', mounts, 'sh', this.root, this.data];
    const as = ['--root', this.root, '--wd', '/var/lib/culprit', '--setgid', this.#user, '--setuid', this.#user];
    const shut = ['/usr/bin/env', '-i', ...this.#env(env), '/usr/bin/setpriv', '--no-new-privs', '/usr/bin/unshare'];
    return spawn('unshare', [...own, ...shut, ...as, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** The first process within, as this machine numbers it. */
  first(child: ChildProcess): number {
    return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
  }

  rights(child: ChildProcess): Record<string, string> {
    return fields(readFileSync(`/proc/${this.first(child)}/status`, 'utf8'));
  }

  /** As `docker exec` does. */
  exec(child: ChildProcess, env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
    const into = ['--target', String(this.first(child)), '--mount', '--pid', '--root', '--wd'];
    const words = [
      '-i',
      ...this.#env(env),
      '/usr/bin/nsenter',
      ...into,
      '--setgid',
      this.#user,
      '--setuid',
      this.#user,
    ];
    return ended(spawn('/usr/bin/env', [...words, ...args], { stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export async function ended(child: ChildProcess, input = ''): Promise<Ran> {
  let stdout = '';
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin?.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, output };
}
