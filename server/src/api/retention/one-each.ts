/** Classes that a request names, each once. */
import { CodedError } from '../../base/errors.ts';
import type { RetentionClass } from '../../base/retention.ts';
import { retentionTexts } from '../../base/texts/retention.ts';

/** Throws `CodedError('INPUT_INVALID')` where one comes twice. */
export function oneEach<One extends { readonly name: RetentionClass }>(
  classes: readonly One[],
): ReadonlyMap<RetentionClass, One> {
  const byName = new Map(classes.map((one) => [one.name, one]));
  const twice = classes.find((one) => byName.get(one.name) !== one);
  if (twice) throw new CodedError('INPUT_INVALID', [retentionTexts.twice(twice.name)]);
  return byName;
}
