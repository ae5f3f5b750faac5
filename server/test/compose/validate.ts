/** A file for Compose, as the Compose specification's own reader understands it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { composeProgram } from './places.ts';

export interface ComposeFile {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly configs?: Readonly<Record<string, { readonly content?: string }>>;
}

/** Throws what is wrong with it. The reader knows no variables: each one that is needed is missing. */
export function readCompose(text: string): ComposeFile {
  const dir = mkdtempSync(join(tmpdir(), 'culprit-compose-'));
  try {
    writeFileSync(join(dir, 'compose.yaml'), text);
    const { status, stdout, stderr, error } = spawnSync(composeProgram, ['compose.yaml'], {
      cwd: dir,
      encoding: 'utf8',
    });
    if (error) throw new Error(`${composeProgram} is missing: node scripts/provision.ts installs it`, { cause: error });
    if (status !== 0) throw new Error(stderr || stdout);
    return load(stdout) as ComposeFile;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
