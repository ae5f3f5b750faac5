/** The command line as a newcomer uses it: every command, as text and as JSON, and what it says to bad input. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openState } from '../src/ports/state/open.ts';
import { culprit, freePort, owner, Server } from './harness.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'culprit-cli-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Runs a command on a directory of the test's own. */
const run = (words: string, input = '', environment: Readonly<Record<string, string>> = {}) =>
  culprit(words.split(' '), { CULPRIT_DATA_DIR: join(directory, 'data'), ...environment }, input);

const init = `init --email ${owner.email} --password-stdin --org Acme --project Web`;

describe('without a server', () => {
  test('help: the overview, and options and examples of a command', async () => {
    const overview = await run('help');
    expect(overview).toMatchObject({ code: 0, stderr: '' });
    const commands = [...overview.stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name ?? '');
    expect(commands).toEqual([
      'serve',
      'init',
      'upgrade',
      'downgrade',
      'migrate',
      'project',
      'mirror',
      'erase',
      'export',
      'organization',
      'user',
      'token',
      'audit',
      'digest',
      'brief',
      'mcp',
      'key',
      'backup',
      'restore',
      'move',
      'import',
      'doctor',
      'config',
    ]);
    // Of each there is a test of its own beside them.
    for (const name of ['serve', 'mcp', 'config']) {
      const help = await run(`${name} --help`);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^culprit ${name}[^]*\\nOptions\\n[^]*\\nExamples\\n {2}`));
    }
    expect((await run('help project')).stdout).toBe((await run('project -h')).stdout);
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('doctor makes nothing where nothing is, and says what to do', async () => {
    const { code, stdout } = await run(`doctor --port ${await freePort()}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/data directory .*does not exist.*culprit init/);
    expect(await readdir(directory)).toEqual([]);
  });

  test.each([
    'project list',
    'mirror list',
    'import status',
    'token list --user a@example.com',
    'backup x',
    'export x',
  ])('neither does "%s"', async (words) => {
    const { code, stderr } = await run(words);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Installation in .* not found.*--data-dir.*culprit init/),
    ]);
    expect(await readdir(directory)).toEqual([]);
  });

  test('init prints what is needed to go on, once; all that it makes is for the owner alone', async () => {
    const made = await run(`${init} --json`, owner.password);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toEqual({
      url: 'http://localhost:7420',
      dsn: expect.stringMatching(/^http:\/\/[0-9a-f]{32}@localhost:7420\/1$/),
      token: expect.stringMatching(/^sntryu_/),
      organization: 'acme',
      project: 'web',
    });
    expect(await run(init, owner.password)).toMatchObject({ code: 1, stdout: '', stderr: /already set up/ });
    for (const name of await readdir(join(directory, 'data'))) {
      expect([name, (await stat(join(directory, 'data', name))).mode & 0o077]).toEqual([name, 0]);
    }
  });

  test('project, user, token: what is made is listed, as text and as JSON', async () => {
    expect(await run('project create Web Shop')).toMatchObject({ code: 2 });
    const shop = await culprit(['project', 'create', 'Web Shop', '--platform', 'node', '--json'], {
      CULPRIT_DATA_DIR: join(directory, 'data'),
    });
    expect(JSON.parse(shop.stdout)).toMatchObject({ slug: 'web-shop', dsn: expect.stringMatching(/\/2$/) });
    expect((await run('project')).stdout).toMatch(/^web +http.*\nweb-shop +http/);
    const projects = JSON.parse((await run('project list --json')).stdout) as { slug: string }[];
    expect(projects.map((project) => project.slug)).toEqual(['web', 'web-shop']);

    const bob = 'bob@example.com';
    expect(await run(`user create --email ${bob} --password-stdin`, 'another battery')).toMatchObject({ code: 0 });
    expect(await run(`user password --email ${bob} --password-stdin`, 'a third battery')).toMatchObject({ code: 0 });
    expect((await run('user list')).stdout).toMatch(/^bob@.*\nowner@/);

    // A member may less than an owner: a token holds what its user may do.
    const made = await run(`token create --user ${bob} --name ci --json`);
    const token = JSON.parse(made.stdout) as { id: number; token: string; scopes: string[] };
    expect(token.scopes).toContain('event:write');
    expect(token.scopes).not.toContain('org:admin');
    const { stdout: listed } = await run(`token list --user ${bob}`);
    expect(listed).toMatch(new RegExp(`…${token.token.slice(-4)}  user +ci `));
    expect(listed).not.toContain(token.token);
    expect(await run(`token delete ${token.id} --user ${bob}`)).toMatchObject({ code: 0 });
    expect(JSON.parse((await run(`token list --user ${bob} --json`)).stdout)).toEqual([]);
  });

  test('project alias: ids that a project had elsewhere', async () => {
    const own = { CULPRIT_DATA_DIR: join(directory, 'aliases') };
    const alias = (words: string) => run(`project alias ${words}`, '', own);
    expect(await run(init, owner.password, own)).toMatchObject({ code: 0 });
    expect((await alias('web')).stdout).toBe('The project has no other IDs.\n');
    const added = await alias('web 4507199254740993127');
    expect(added.stdout).toMatch(/^4507199254740993127 {2}http.*\/4507199254740993127\n$/);
    expect(await alias('web x1')).toMatchObject({ code: 1, stderr: /1 to 19 digits/ });
    expect(await alias('nowhere 1')).toMatchObject({ code: 1, stderr: /project nowhere/i });
    expect(await alias('web --remove')).toMatchObject({ code: 2 });
    expect((await alias('web 4507199254740993127 --remove')).stdout).toBe('The project has no other IDs.\n');
  });

  test('audit verify: what commands did is in the log; what somebody did to it is found', async () => {
    await using state = await openState({ url: '', dataDir: join(directory, 'data') });
    const entries = await state.db
      .selectFrom('audit_entry')
      .select(['seq', 'action', 'content'])
      .orderBy('seq')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      'installation.set_up',
      'token.create',
      'project.create',
      'member.add',
      'user.set_password',
      'token.create',
      'token.delete',
    ]);
    for (const { content } of entries) expect(JSON.parse(content).actor.type).toBe('host');
    const verified = await run('audit verify');
    expect(verified).toMatchObject({
      code: 0,
      stderr: '',
      stdout: /^acme: 7 entries verified \(1–7\)\n.*--noted 7:[0-9a-f]{64}\n$/,
    });
    const noted = /--noted (\S+)/.exec(verified.stdout)?.[1] ?? '';
    expect(await run(`audit verify --noted ${noted}`)).toMatchObject({ code: 0 });
    expect(await run('audit verify --noted 7:abc')).toMatchObject({ code: 2 });
    const other = await run(`audit verify --noted 6:${noted.slice(2)}`);
    expect(other).toMatchObject({ code: 1, stdout: /Entry 6 is not the one that was noted/ });
    const without = await run('audit verify', '', { CULPRIT_SECRET: 'another secret of thirty-two letters or more' });
    expect(without).toMatchObject({
      code: 1,
      stdout: /The seal of the head does not hold at entry 7: sealed with another key/,
    });
    await state.db.deleteFrom('audit_entry').where('seq', '=', 7).execute();
    expect(await run('audit verify')).toMatchObject({ code: 1, stdout: /The end is missing: entry 7\./ });
    const json = JSON.parse((await run('audit verify --json')).stdout) as unknown;
    expect(json).toMatchObject([{ organization: 'acme', breaks: [{ kind: 'cut', seq: 7, until: 7 }] }]);
    expect(await run('audit')).toMatchObject({ code: 2 });
    expect(await run('audit verify --file /nowhere')).toMatchObject({ code: 1, stderr: /not found/i });
  });

  test('organization addresses: shown, and cleared for who is locked out', async () => {
    const shown = await run('organization addresses');
    expect(shown).toMatchObject({ code: 0, stdout: 'acme can be used from all addresses.\n' });
    await using state = await openState({ url: '', dataDir: join(directory, 'data') });
    const setting = { allowed_addresses: JSON.stringify(['203.0.113.0/24']) };
    const { id } = await state.db.selectFrom('organization').select('id').executeTakeFirstOrThrow();
    await state.db
      .insertInto('organization_setting')
      .values({ organization_id: id, ...setting })
      .execute();
    expect((await run('organization addresses acme')).stdout).toBe('203.0.113.0/24\n');
    expect(JSON.parse((await run('organization addresses acme --clear --json')).stdout)).toEqual({
      organization: 'acme',
      allowedAddresses: [],
    });
    expect((await run('organization addresses nowhere')).code).toBe(1);
    const last = await state.db.selectFrom('audit_entry').select('content').orderBy('seq', 'desc').executeTakeFirst();
    expect(last?.content).toContain('"culprit organization addresses"');
  });

  test('migrate says what it did; a second time there is nothing to do', async () => {
    expect((await run('migrate')).stdout).toMatch(/^State store: up to date\nEvents store: applied /);
    expect(JSON.parse((await run('migrate --json')).stdout)).toEqual({ state: [], events: [] });
  });

  test('config: flags win over the environment, passwords are hidden', async () => {
    const { stdout } = await run('config --port 8080 --json', '', {
      CULPRIT_PORT: '9090',
      CULPRIT_STATE_URL: 'postgres://ada:p@ss:word@db/culprit?sslpassword=geheim',
      CULPRIT_SECRET: 'nobody shall read this but the server',
    });
    expect(stdout).not.toContain('nobody shall read');
    expect(JSON.parse(stdout)).toMatchObject({
      CULPRIT_PORT: '8080',
      CULPRIT_STATE_URL: 'postgres://ada:***@db/culprit?sslpassword=***',
      CULPRIT_SECRET: '***',
    });
    expect((await run('config')).stdout).toMatch(/^CULPRIT_HOST +127\.0\.0\.1 /);
  });

  // Wrong words, which no command gets to see, are tested where they are read (`cli/run.test.ts`).
  const bad: readonly [words: string, code: number, says: RegExp][] = [
    ['nope', 2, /unknown command "nope"/],
    ['serve --port abc', 1, /--port is "abc"; expected a whole number from 0 to 65535/],
    ['project list --org other', 1, /Organisation "other" not found/],
    ['user create --email bad --password-stdin', 1, /must be an email address/],
    ['token create --user eve@example.com', 1, /User "eve@example.com" not found/],
    [`token create --user ${owner.email} --scopes all`, 2, /Unknown scope "all"\. The scopes are org:read/],
    [`token delete --user ${owner.email}`, 2, /ID of the token is required/],
    [`token delete 999 --user ${owner.email}`, 1, /Token "999" not found/],
    ['project list --state-url postgres://ada:geheim@127.0.0.1:1/x', 1, /state store is not available.*ECONNREFUSED/],
  ];

  test.each(bad)('culprit %s: exit code %d and a sentence, on stderr', async (words, code, says) => {
    const text = await run(words, 'long enough');
    expect(text).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
    expect(text.stderr).not.toContain('geheim');
    expect(text.stderr).not.toMatch(/^ +at /m);
  });

  test('with --json errors are JSON, too', async () => {
    const failure = await run('project list --org other --json');
    expect(JSON.parse(failure.stderr)).toEqual({ code: 'NOT_FOUND', message: 'Organisation "other" not found.' });
  });

  test('a directory that cannot be one is named', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const { code, stderr } = await run(`serve --data-dir ${join(file, 'data')}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^culprit serve: The data directory .*file\/data is not usable: .*ENOTDIR.*DATA_DIR_UNUSABLE/,
    );
  });

  test('a port that another program has is named, and nothing is left running', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    if (typeof address !== 'object' || !address) throw new Error('no port');
    const { code, stderr } = await run(`serve --port ${address.port}`);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^culprit serve: Cannot listen on 127\.0\.0\.1, port \d+: another program uses it/);
    expect(await run('migrate')).toMatchObject({ code: 0 });
  });
});

describe('beside a running server', () => {
  let server: Server;
  const beside = (words: string) => culprit(words.split(' '), { CULPRIT_DATA_DIR: server.dataDir });

  beforeAll(async () => {
    // No CULPRIT_URL: the address follows from the port.
    server = await Server.create({ CULPRIT_URL: '' }, { isPlain: true });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  test('it writes nothing to stderr, and one line with the address', () => {
    expect(server.output.trim()).toBe(`Culprit is ready: http://localhost:${server.port}`);
  });

  test.runIf(process.platform === 'linux')(
    'the process that was started is the server, with a bound on its garbage',
    async () => {
      const words = await readFile(`/proc/${server.pid}/cmdline`, 'utf8');
      expect(words.split('\0')).toEqual(expect.arrayContaining(['--max-semi-space-size=8', 'serve']));
    },
  );

  test('DSNs are those of the server, wherever it listens', async () => {
    const { stdout } = await beside('project list');
    expect(stdout).toContain(`@localhost:${server.port}/1`);
  });

  test('doctor asks it, and says when it is gone or its port is taken over', async () => {
    const healthy = JSON.parse((await beside('doctor --json')).stdout) as { what: string; state: string }[];
    expect(healthy.map(({ what }) => what)).toEqual([
      'program',
      'data directory',
      'restore points',
      'key',
      'state store',
      'self-report',
      'mail',
      'background jobs',
      'memory',
      'server',
      'public address',
      'clock',
      'log',
      'events store',
      'unprocessed items',
    ]);
    expect(healthy.every(({ state }) => state !== 'failed')).toBe(true);

    await server.kill();
    const gone = await beside(`doctor --port ${server.port}`);
    expect(gone.stdout).toMatch(/warning +server +not running[^]*ok +port +127\.0\.0\.1:\d+ is free/);
    const stranger = createServer((_request, response) => response.end('hello')).listen(server.port, '127.0.0.1');
    await once(stranger, 'listening');
    const taken = await beside(`doctor --port ${server.port}`);
    expect(taken).toMatchObject({ code: 1, stdout: expect.stringMatching(/server +not running/) });
    expect(taken.stdout).toMatch(/FAILED +port +127\.0\.0\.1:\d+ is in use by another program.*ss -ltnp/);
    stranger.close();
    await once(stranger, 'close');
    await server.start();
  });

  test('a second server and migrate are refused, with the process that has the directory', async () => {
    for (const words of [`serve --port ${await freePort()}`, 'migrate']) {
      const { code, stderr } = await beside(words);
      expect(code).toBe(1);
      expect(stderr).toContain(`is in use by another Culprit process (${server.pid}). (DATA_DIR_IN_USE)`);
    }
  });

  test('asked to stop while it starts, it stops in order', async () => {
    const dataDir = join(directory, 'stopped');
    await mkdir(dataDir);
    await using other = await Server.create({ CULPRIT_DATA_DIR: dataDir }, { init: false, start: false });
    const started = other.start().catch(() => {});
    await other.until('its stores are open', async () => (await readdir(dataDir)).includes('events'));
    expect(await other.stop()).toBeLessThan(10_000);
    await started;
    expect(await readdir(dataDir)).not.toContain('running.json');
    expect(other.output).not.toMatch(/"level":(50|60)|Error/);
  });
});
