/** A proxy with the configuration of the guide, but for addresses and TLS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeBlocks, guideText } from '../../server/test/guides.ts';
import { type Proxy, proxyProgram } from '../../server/test/proxies/places.ts';

/** The guide's code in that language. */
export async function guideBlock(language: string): Promise<string> {
  const [code] = codeBlocks(await guideText('behind-a-proxy'), language);
  if (code === undefined) throw new Error(`the guide has no ${language}`);
  return code;
}

/** Where it listens and where the server does. */
export interface Ports {
  readonly proxy: number;
  readonly server: number;
}

/** All that nginx writes stays in its folder. */
export function nginxConfig(server: string, dir: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${dir}/${kind};`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} daemon off; pid ${dir}/pid; error_log stderr; events {}\nhttp { access_log off; ${paths.join(' ')}\n${server} }`;
}

export async function guideNginx({ proxy, server }: Ports): Promise<string> {
  return (await guideBlock('nginx'))
    .replace('listen 443 ssl;', `listen 127.0.0.1:${proxy};`)
    .replaceAll(/^ *ssl_certificate.*\n/gm, '')
    .replace('127.0.0.1:7420', `127.0.0.1:${server}`);
}

export async function guideCaddy({ proxy, server }: Ports): Promise<string> {
  const site = (await guideBlock('caddyfile')).replace('127.0.0.1:7420', `127.0.0.1:${server}`);
  return `{\n  admin off\n}\n${site.replace('culprit.example.com', `http://127.0.0.1:${proxy}`)}`;
}

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((is) => (socket.destroy(), is === true));
}

/** Started with the configuration that `write` makes for its folder, once it listens. */
export async function startProxy(
  name: Proxy,
  port: number,
  write: (dir: string) => string | Promise<string>,
): Promise<AsyncDisposable> {
  const program = proxyProgram(name);
  if (!program) throw new Error(`${name} is missing: run "node scripts/provision.ts"`);
  const dir = await mkdtemp(join(tmpdir(), `culprit-${name}-`));
  const file = join(dir, 'config');
  await writeFile(file, await write(dir));
  const words = name === 'nginx' ? ['-p', dir, '-c', file] : ['run', '--adapter', 'caddyfile', '--config', file];
  const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  for (let tries = 0; !(await isListening(port)); tries++) {
    if (child.exitCode !== null || tries > 300) throw new Error(`${name} does not listen:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(dir, { recursive: true, force: true });
    },
  };
}
