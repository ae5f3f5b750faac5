/** Installs Bugsink from PyPI, with the databases that it starts with. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bugsinkDir, bugsinkEmpty, bugsinkPython, bugsinkReady, bugsinkVersion } from './places.ts';

/** One that runs on this machine alone, and takes all that is sent at once. */
const settings = `from bugsink.settings.default import *  # noqa
import os
SECRET_KEY = "for tests only"
DATABASES["default"]["NAME"] = os.path.join(os.getcwd(), "db.sqlite3")
DATABASES["snappea"]["NAME"] = os.path.join(os.getcwd(), "snappea.sqlite3")
SNAPPEA = {"TASK_ALWAYS_EAGER": True}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
BUGSINK = {
    "BASE_URL": os.environ.get("BUGSINK_TEST_URL", "http://127.0.0.1:8000"),
    "SINGLE_USER": True,
    "SINGLE_TEAM": False,
    "PHONEHOME": False,
    "MAX_EVENTS_PER_PROJECT_PER_5_MINUTES": 1_000_000,
    "MAX_EVENTS_PER_5_MINUTES": 1_000_000,
    "MAX_EVENTS_PER_PROJECT_PER_HOUR": 1_000_000,
    "MAX_EVENTS_PER_HOUR": 1_000_000,
}
ALLOWED_HOSTS = ["127.0.0.1"]
`;

export function makeBugsink(): void {
  rmSync(bugsinkDir, { recursive: true, force: true });
  const run = (command: string, args: readonly string[], cwd?: string): boolean =>
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...(cwd !== undefined && { cwd }) }).status ===
    0;
  const wanted = ['install', '-q', '--disable-pip-version-check', `bugsink==${bugsinkVersion}`];
  run('python3', ['-m', 'venv', bugsinkDir]);
  if (!run(bugsinkPython, ['-m', 'pip', ...wanted])) return;
  mkdirSync(bugsinkEmpty, { recursive: true });
  writeFileSync(join(bugsinkEmpty, 'bugsink_conf.py'), settings);
  const manage = join(bugsinkDir, 'bin', 'bugsink-manage');
  const isMade =
    run(manage, ['migrate', '-v', '0'], bugsinkEmpty) &&
    run(manage, ['migrate', 'snappea', '--database=snappea', '-v', '0'], bugsinkEmpty);
  if (isMade) writeFileSync(bugsinkReady, '');
}
