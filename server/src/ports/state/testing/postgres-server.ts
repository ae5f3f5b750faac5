/** A PostgreSQL for tests: in a temporary directory, on a free port, gone afterwards. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

const cache = fileURLToPath(new URL('../../../../../node_modules/.cache/culprit-postgres/', import.meta.url));

export interface PostgresServer extends AsyncDisposable {
  /** Where its files lie. */
  readonly dir: string;
  /** Of a database, made or not. */
  url(database: string): string;
  /** Makes an empty database, or a copy of one made before, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
}

/**
 * Runs a server until the input ends: it does when whoever has started it ends, however that comes about. The directory
 * goes with it.
 */
const untilInputEnds = `trap '' INT
exec 3<&0
"$@" 3<&- & server=$!
{ cat <&3 > /dev/null; kill -QUIT $server; } &
wait $server
code=$?
rm -rf "$0"
exit $code`;

let shared: Promise<PostgresServer> | undefined;

/** One for all files of tests that a process runs; it ends with the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  return (shared ??= startPostgres());
}

/** Throws with what to install where PostgreSQL is missing. */
export async function startPostgres({ connections = 100 } = {}): Promise<PostgresServer> {
  const bin = await findBinaries();
  const dir = await mkdtemp(join(tmpdir(), 'culprit-postgres-'));
  const data = join(dir, 'data');
  const asUser = await otherUserThanRoot(dir);
  const port = await freePort();

  await layCluster(bin, dir, data, asUser);
  const settings = [
    'fsync=off',
    'full_page_writes=off',
    `max_connections=${connections}`,
    `unix_socket_directories=${dir}`,
  ];
  const [command, args] = asUser([
    'sh',
    '-c',
    untilInputEnds,
    dir,
    join(bin, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  const server = spawn(command, args, { cwd: '/', stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  server.stdin.on('error', () => {});
  const stop = async (): Promise<void> => {
    server.stdin.end();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    await rm(dir, { recursive: true, force: true });
  };

  const url = (database: string): string => `postgres://culprit@127.0.0.1:${port}/${database}`;
  const admin = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: url('postgres') });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const giveUpAt = Date.now() + 30_000;
  while (
    !(await admin('select 1').then(
      () => true,
      () => false,
    ))
  ) {
    if (server.exitCode !== null || Date.now() > giveUpAt) {
      await stop();
      throw new Error(`PostgreSQL did not start: ${said}`);
    }
    await delay(50);
  }

  let made = 0;
  return {
    dir: data,
    url,
    async createDatabase(template) {
      const name = `test_${++made}`;
      const copyOf = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`;
      await admin(`create database ${name}${copyOf}`);
      return url(name);
    },
    [Symbol.asyncDispose]: stop,
  };
}

type AsUser = (command: readonly string[]) => [string, string[]];

/** A new cluster in `data`, which is in `dir`: a copy of one that was made before, at half of what making takes. */
async function layCluster(bin: string, dir: string, data: string, asUser: AsUser): Promise<void> {
  const { size, mtimeMs } = await stat(join(bin, 'initdb'));
  const template = join(cache, createHash('sha256').update(`${bin} ${size} ${mtimeMs}`).digest('hex').slice(0, 16));
  // As whoever runs the tests: a root keeps the owner, who may not look into the cache.
  const copy = (from: string, to: string): Promise<unknown> => run('cp', ['-a', from, to]);
  if (existsSync(template)) {
    await copy(template, data);
    return;
  }
  const words = [join(bin, 'initdb'), '-D', data, '-U', 'culprit', '--auth=trust', '--no-sync', '-E', 'UTF8'];
  // The log of changes is laid out in files of this size, in MB, and tests write little.
  await run(...asUser([...words, '--locale=C', '--wal-segsize=1']), { cwd: dir });
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, 'fresh-'));
  await copy(data, join(fresh, 'data'));
  // Another process may have been quicker, with the same.
  await rename(join(fresh, 'data'), template).catch((error: unknown) => {
    if (!existsSync(template)) throw error;
  });
  await rm(fresh, { recursive: true });
}

async function findBinaries(): Promise<string> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? (await readdir(debian)).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = places.find(
    (place) => place !== '' && existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')),
  );
  if (found) return found;
  throw new Error(
    'these tests need PostgreSQL: install the package "postgresql" (Debian, Ubuntu: apt-get install postgresql)',
  );
}

/** PostgreSQL refuses to run as root; Debian's package brings the user `postgres` for that. */
async function otherUserThanRoot(dir: string): Promise<AsUser> {
  if (process.getuid?.() !== 0) return ([program = '', ...args]) => [program, args];
  const { stdout } = await run('id', ['-u', 'postgres']);
  await chown(dir, Number(stdout), -1);
  await chmod(dir, 0o700);
  // Not every PATH of a root has the directory of system programs.
  const runuser = ['/usr/sbin/runuser', '/sbin/runuser'].find((path) => existsSync(path)) ?? 'runuser';
  return (command) => [runuser, ['-u', 'postgres', '--', ...command]];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
