/** `--expires`: when a new token ends. */
import { type Option, UsageError } from './command.ts';
import { general } from '../base/texts/cli.ts';

export const expiresOption: Option = {
  type: 'string',
  placeholder: 'WHEN',
  help: general.expires,
};

/** Undefined where nothing was said. */
export async function expiresFrom(text: string | undefined): Promise<number | null | undefined> {
  if (text === undefined) return undefined;
  const { readExpiry } = await import('../domains/accounts/index.ts');
  const end = readExpiry(text, Date.now());
  if (end === undefined || (end !== null && end <= Date.now())) throw new UsageError(general.expiresInvalid(text));
  return end;
}
