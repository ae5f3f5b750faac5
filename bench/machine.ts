/** Where and of what a number was measured. */
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { projectDir } from './child.ts';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  /** With `+` when the checkout has changes that are not committed. */
  readonly commit: string;
  readonly at: string;
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    commit: describeCommit(),
    at: new Date().toISOString(),
  };
}

function describeCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: projectDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain') ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}

const memoryFileSystem = 0x01021994;

/** Writing to memory needs no disk to be flushed: then neither the floor nor Culprit means anything. */
export const isOnDisk = (dir: string): boolean => statfsSync(dir).type !== memoryFileSystem;
