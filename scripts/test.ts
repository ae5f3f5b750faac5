/**
 * `npm test`: installs what is missing, builds, and runs every test. A process of tests that stands still for longer than
 * any test may take is described and ended, and what it left undone runs once more: no time limit of Vitest holds while
 * a file is imported, and without an end nobody would ever read which file it was. What follows the command goes to
 * Vitest.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, filesOf } from './test-run/files.ts';
import { describeProcess, descendantsOf } from './test-run/processes.ts';

/** A test of whole programs has 5 minutes. */
const silentMs = 7 * 60_000;
const lookEveryMs = 5000;

interface Run {
  readonly status: number;
  readonly files: Files;
  readonly isStalled: boolean;
}

function runVitest(args: readonly string[], progress: string): Promise<Run> {
  writeFileSync(progress, '');
  const reporters = ['--reporter=default', '--reporter=./scripts/test-run/progress.ts'];
  const child = spawn('vitest', ['run', ...reporters, ...args], {
    stdio: 'inherit',
    env: { ...process.env, CULPRIT_TEST_PROGRESS: progress },
  });
  let isStalled = false;
  const look = setInterval(() => {
    if (Date.now() - statSync(progress).mtimeMs < silentMs || child.pid === undefined) return;
    clearInterval(look);
    isStalled = true;
    const all = [child.pid, ...descendantsOf(child.pid)];
    const { running } = filesOf(readFileSync(progress, 'utf8'));
    console.error(
      `\nSTALLED: no test has moved for ${silentMs / 60_000} minutes. Running: ${running.join(', ') || 'none'}`,
    );
    console.error(all.map(describeProcess).join('\n'));
    for (const pid of all) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }, lookEveryMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(look);
      resolve({ status: code ?? 1, files: filesOf(readFileSync(progress, 'utf8')), isStalled });
    });
  });
}

for (const script of ['provision', 'build']) {
  const { status } = spawnSync(process.execPath, [`scripts/${script}.ts`], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const projects = ['unit', 'browser', 'program', 'sample'].map((name) => `--project=${name}`);
const directory = mkdtempSync(join(tmpdir(), 'culprit-test-run-'));
const progress = join(directory, 'progress');
const first = await runVitest([...projects, ...process.argv.slice(2)], progress);
let { status } = first;
if (first.isStalled && first.files.left.length) {
  const { left, failed } = first.files;
  console.error(
    `\nRunning once more what was left: ${left.length} files. Failed before: ${failed.join(', ') || 'none'}\n`,
  );
  const second = await runVitest([...projects, ...left], progress);
  status = failed.length ? 1 : second.status;
}
rmSync(directory, { recursive: true, force: true });
process.exit(status);
