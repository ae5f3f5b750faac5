import { backup as texts } from '../base/texts/backups.ts';
import { UsageError } from './command.ts';

/** Bytes of a text such as `50m`; undefined where there is none. */
export function readSize(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, value, unit = ''] = /^(\d{1,12})\s*([kmgt]?)i?b?(?:\/s)?$/i.exec(text.trim()) ?? [];
  if (value === undefined) throw new UsageError(texts.badRate(text));
  return Number(value) * 1024 ** ['', 'k', 'm', 'g', 't'].indexOf(unit.toLowerCase());
}
