/** The commands, in the order in which they are listed. */
import type { Command } from './command.ts';

/** Loaded when it is called: reading what the others need takes longer than most of them run. */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['init', async () => (await import('./init.ts')).initCommand],
  ['upgrade', async () => (await import('./upgrade.ts')).upgradeCommand],
  ['downgrade', async () => (await import('./downgrade.ts')).downgradeCommand],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand],
  ['project', async () => (await import('./project.ts')).projectCommand],
  ['mirror', async () => (await import('./mirror.ts')).mirrorCommand],
  ['erase', async () => (await import('./erase.ts')).eraseCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['organization', async () => (await import('./organization.ts')).organizationCommand],
  ['user', async () => (await import('./user.ts')).userCommand],
  ['token', async () => (await import('./token.ts')).tokenCommand],
  ['audit', async () => (await import('./audit.ts')).auditCommand],
  ['digest', async () => (await import('./digest.ts')).digestCommand],
  ['brief', async () => (await import('./brief.ts')).briefCommand],
  ['mcp', async () => (await import('./mcp.ts')).mcpCommand],
  ['key', async () => (await import('./key.ts')).keyCommand],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['restore', async () => (await import('./restore.ts')).restoreCommand],
  ['move', async () => (await import('./move.ts')).moveCommand],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
  ['config', async () => (await import('./config.ts')).configCommand],
]);
