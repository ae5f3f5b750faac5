/** A PostgreSQL of its own for a test file: in a temporary directory, on a free port, gone afterwards. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

export interface PostgresServer extends AsyncDisposable {
  /** Makes an empty database, or a copy of one made before, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
}

/** Throws with what to install where PostgreSQL is missing. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = await findBinaries();
  const dir = await mkdtemp(join(tmpdir(), 'culprit-postgres-'));
  const data = join(dir, 'data');
  const asUser = await otherUserThanRoot(dir);
  const port = await freePort();

  await run(
    ...asUser([
      join(bin, 'initdb'),
      '-D',
      data,
      '-U',
      'culprit',
      '--auth=trust',
      '--no-sync',
      '-E',
      'UTF8',
      '--locale=C',
    ]),
    { cwd: dir },
  );
  const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=100', `unix_socket_directories=${dir}`];
  const [command, args] = asUser([
    join(bin, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  const server = spawn(command, args, { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  const stop = async (): Promise<void> => {
    // pg_ctl, for a signal to runuser would not reach the server.
    await run(...asUser([join(bin, 'pg_ctl'), 'stop', '-D', data, '-m', 'immediate']), { cwd: dir }).catch(() => {});
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
    async createDatabase(template) {
      const name = `test_${++made}`;
      const copyOf = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`;
      await admin(`create database ${name}${copyOf}`);
      return url(name);
    },
    [Symbol.asyncDispose]: stop,
  };
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
async function otherUserThanRoot(dir: string): Promise<(command: readonly string[]) => [string, string[]]> {
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
