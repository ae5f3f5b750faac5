/** What opens the backups, from where the settings say it stands. */
import { readFile } from 'node:fs/promises';
import { CodedError } from '../../base/errors.ts';
import { credential as texts } from '../../base/texts/backups.ts';
import type { Credential } from './repository/keys.ts';

export interface CredentialSettings {
  readonly backupPassphrase: string;
  /** '' for none, as for the key file. */
  readonly backupPassphraseFile: string;
  readonly backupKeyFile: string;
}

/** Undefined where backups are not encrypted. Throws `CodedError('BACKUP_KEY')` for a file that cannot be read. */
export async function readCredential(settings: CredentialSettings): Promise<Credential | undefined> {
  const { backupPassphrase, backupPassphraseFile, backupKeyFile } = settings;
  if (backupKeyFile && (backupPassphrase || backupPassphraseFile)) throw new CodedError('BACKUP_KEY', [texts.both]);
  if (backupKeyFile) return { kind: 'key', text: await readText(backupKeyFile) };
  const text = backupPassphraseFile ? await readText(backupPassphraseFile) : backupPassphrase;
  return text === '' ? undefined : { kind: 'passphrase', text };
}

async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CodedError('BACKUP_KEY', [texts.unreadable(path, why)], { cause: error });
  }
}
