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
  readonly #child: ChildProcess;

  private constructor(dir: string, url: string, [dsn = '', token = '']: readonly string[], child: ChildProcess) {
    this.#dir = dir;
    this.url = url;
    this.dsn = dsn;
    this.token = token;
    this.#child = child;
  }

  static async start(): Promise<Bugsink> {
    if (!existsSync(bugsinkReady)) throw new Error('Bugsink is not installed: node scripts/provision.ts');
    const dir = await mkdtemp(join(tmpdir(), 'culprit-bugsink-'));
    await cp(bugsinkEmpty, dir, { recursive: true });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { ...process.env, BUGSINK_TEST_URL: url };
    const options = { cwd: dir, env };
    const { stdout } = await run(join(bugsinkDir, 'bin', 'bugsink-manage'), ['shell', '-v', '0', '-c', seed], options);
    const words = ['--bind', `127.0.0.1:${port}`, '--workers', '1', '--threads', '4', '--no-control-socket'];
    const child = spawn(join(bugsinkDir, 'bin', 'gunicorn'), [...words, 'bugsink.wsgi'], {
      ...options,
      stdio: 'ignore',
    });
    const bugsink = new Bugsink(dir, url, stdout.trim().split('\n').slice(-2), child);
    for (let left = 300; !(await fetch(`${url}/health/ready`).catch(() => undefined))?.ok; left--) {
      if (left === 0 || child.exitCode !== null) throw new Error('Bugsink did not start');
      await delay(200);
    }
    return bugsink;
  }

  /** By Sentry's SDK for Python. */
  async send(events: number): Promise<void> {
    await run(bugsinkPython, [traffic, this.dsn, String(events)]);
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
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    await rm(this.#dir, { recursive: true, force: true });
  }
}
