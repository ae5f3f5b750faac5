import { compactNumber, exactNumber } from './numbers.ts';

/** A count in short form, with the exact value on hover where the two differ. */
export function Count({ value }: { readonly value: number }) {
  const short = compactNumber(value);
  const full = exactNumber(value);
  return <span data-tip={full === short ? undefined : full}>{short}</span>;
}
