import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';

export function bundleIdOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CodedError('NOT_FOUND', [things.bundle(text)]);
  return Number(text);
}
