/** `--expires`: when a new token ends. */
import { type Option, UsageError } from './command.ts';

export const expiresOption: Option = {
  type: 'string',
  placeholder: 'WHEN',
  help: '90d, a last day such as 2027-01-01, or never (default: a year)',
};

/** Undefined where nothing was said. */
export async function expiresFrom(text: string | undefined): Promise<number | null | undefined> {
  if (text === undefined) return undefined;
  const { readExpiry } = await import('../domains/accounts/index.ts');
  const end = readExpiry(text, Date.now());
  if (end === undefined || (end !== null && end <= Date.now()))
    throw new UsageError(
      `"${text}" is no time to come; say how many days, as in 90d, a day such as 2027-01-01, or never`,
    );
  return end;
}
