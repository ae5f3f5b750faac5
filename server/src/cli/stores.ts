/** What several commands open and look up. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import { type Keeping, keepingOf } from '../domains/retention/index.ts';
import { readRunning } from '../running.ts';
import { openMigratedState as open } from '../ports/state/open.ts';
import type { State } from '../ports/state/state.ts';
import { prepareForCommand } from '../services/data-dir.ts';
import { quoted, things } from '../base/texts/things.ts';
import { UsageError } from './command.ts';
import { general } from '../base/texts/cli.ts';

/** The state store, migrated: commands work before the first start too, and beside a running server of this version. */
export async function openMigratedState(config: Config): Promise<State> {
  await prepareForCommand(config);
  const { state } = await open({ url: config.stateUrl, dataDir: config.dataDir });
  return state;
}

/** What is settled of how long data is kept, for a store that is made anew: it must not let go of what it is given. */
export async function keepingAt(config: Config): Promise<Keeping> {
  await using state = await openMigratedState(config);
  return await keepingOf(state, config.retentionDays);
}

/** Of an installation that is there: nothing is made of the name of a directory that was mistyped. */
export async function openInstallation(config: Config): Promise<State> {
  if (config.stateUrl === '') checkInstallation(config);
  return openMigratedState(config);
}

/** Throws NOT_FOUND where no server was ever started on the data directory, and nothing was set up in it. */
export function checkInstallation({ dataDir, stateUrl }: Config): void {
  if (existsSync(join(dataDir, stateUrl ? 'node.id' : 'state.db'))) return;
  throw new CodedError('NOT_FOUND', [things.installation(dataDir)], { hint: general.noInstallation });
}

/** Public address, of which DSNs are made: as configured, else that of the server that runs here. */
export async function publicUrl(config: Config): Promise<string> {
  return config.url || (await readRunning(config.dataDir))?.url || `http://localhost:${config.port}`;
}

/** The organisation named by `slug`, or the only one. */
export async function findOrganization(state: State, slug: string | undefined): Promise<{ id: string; slug: string }> {
  const all = await state.db.selectFrom('organization').select(['id', 'slug']).orderBy('slug').execute();
  if (slug !== undefined) {
    const found = all.find((organization) => organization.slug === slug || organization.id === slug);
    if (!found) throw new CodedError('NOT_FOUND', [things.organization(quoted(slug))]);
    return found;
  }
  const [only, another] = all;
  if (!only) throw new CodedError('NOT_FOUND', [things.anOrganization], { hint: general.noOrganization });
  if (another) throw new UsageError(general.organizationNeeded(all.map((organization) => organization.slug)));
  return only;
}

/** All of stdin, without the line break at its end. */
export async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(general.passwordPrompt);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
