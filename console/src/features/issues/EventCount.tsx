import * as m from '../../messages/event-count.ts';
import { Count } from '../../ui/Count.tsx';
import { compactNumber } from '../../ui/numbers.ts';

interface Counted {
  readonly count: string | number;
  /** Between which ends it lies, 19 times in 20; null where it is right to 1 %. */
  readonly estimated: { readonly low: number; readonly high: number } | null;
}

/** `1.2k`, `≈1.2k` of an estimate. */
export const shortCount = ({ count, estimated }: Counted): string => {
  const short = compactNumber(Number(count));
  return estimated ? m.short({ count: short }) : short;
};

/** How many events an issue has; of an estimate in short form, with the whole of it on hover and for screen readers. */
export function EventCount({ of }: { readonly of: Counted }) {
  const count = Number(of.count);
  if (!of.estimated) return <Count value={count} />;
  const whole = m.about({ count, ...of.estimated });
  return (
    <span data-tip={whole}>
      <span aria-hidden="true">{shortCount(of)}</span>
      <span className="visually-hidden">{whole}</span>
    </span>
  );
}
