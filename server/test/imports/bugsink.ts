/** Bugsink as its users run it: gunicorn over SQLite, in a directory of its own, on a free port. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../harness.ts';
import { bugsinkDir, bugsinkEmpty, bugsinkPython, bugsinkReady } from './places.ts';

const run = promisify(execFile);
const traffic = fileURLToPath(new URL('bugsink_traffic.py', import.meta.url));

const seed = `
from teams.models import Team
from projects.models import Project
from bsmain.models import AuthToken
project = Project.objects.create(id=4507, name="Web Shop", team=Team.objects.create(name="Shop team"))
print(project.dsn)
print(AuthToken.create_full_access().token)`;

const environment = (url: string): NodeJS.ProcessEnv => ({ ...process.env, BUGSINK_TEST_URL: url });

async function shell(cwd: string, url: string, program: string): Promise<string> {
  const words = ['shell', '-v', '0', '-c', program];
  const { stdout } = await run(join(bugsinkDir, 'bin', 'bugsink-manage'), words, { cwd, env: environment(url) });
  return stdout.trim();
}

export interface BugsinkIssue {
  readonly id: string;
  readonly friendly_id: string;
  readonly calculated_type: string;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly digested_event_count: number;
}

export class Bugsink implements AsyncDisposable {
  readonly url: string;
  readonly dsn: string;
  readonly token: string;
  readonly #dir: string;
  #child: ChildProcess | undefined;

  private constructor(dir: string, url: string, [dsn = '', token = '']: readonly string[]) {
    this.#dir = dir;
    this.url = url;
    this.dsn = dsn;
    this.token = token;
  }

  static async start(): Promise<Bugsink> {
    if (!existsSync(bugsinkReady)) throw new Error('Bugsink is not installed: node scripts/provision.ts');
    const dir = await mkdtemp(join(tmpdir(), 'culprit-bugsink-'));
    await cp(bugsinkEmpty, dir, { recursive: true });
    const url = `http://127.0.0.1:${await freePort()}`;
    const bugsink = new Bugsink(dir, url, (await shell(dir, url, seed)).split('\n').slice(-2));
    await bugsink.resume();
    return bugsink;
  }

  /** Starts it where it was stopped. */
  async resume(): Promise<void> {
    const { host } = new URL(this.url);
    const words = ['--bind', host, '--workers', '1', '--threads', '4', '--no-control-socket'];
    const child = spawn(join(bugsinkDir, 'bin', 'gunicorn'), [...words, 'bugsink.wsgi'], {
      cwd: this.#dir,
      env: environment(this.url),
      stdio: 'ignore',
    });
    this.#child = child;
    for (let left = 300; !(await fetch(`${this.url}/health/ready`).catch(() => undefined))?.ok; left--) {
      if (left === 0 || child.exitCode !== null) throw new Error('Bugsink did not start');
      await delay(200);
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  /** In the words of its own shell; what is printed last is returned. */
  shell(program: string): Promise<string> {
    return shell(this.#dir, this.url, program);
  }

  /** By Sentry's SDK for Python. */
  async send(events: number, dsn = this.dsn): Promise<void> {
    await run(bugsinkPython, [traffic, dsn, String(events)]);
  }

  async api<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}/api/canonical/0/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  async issues(): Promise<BugsinkIssue[]> {
    return (await this.api<{ results: BugsinkIssue[] }>('issues/?project=4507')).results;
  }

  /** As they were sent, by id. */
  async events(): Promise<Map<string, Record<string, unknown>>> {
    const events = new Map<string, Record<string, unknown>>();
    for (const { id } of await this.issues()) {
      for (let path: string | undefined = `events/?issue=${id}`; path;) {
        const page: { next: string | null; results: { id: string; event_id: string }[] } = await this.api(path);
        for (const event of page.results) {
          const { data } = await this.api<{ data: Record<string, unknown> }>(`events/${event.id}/`);
          events.set(event.event_id.replaceAll('-', ''), data);
        }
        path = page.next?.split('/api/canonical/0/')[1];
      }
    }
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#dir, { recursive: true, force: true });
  }
}
