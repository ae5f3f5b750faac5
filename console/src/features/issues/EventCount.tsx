import * as m from '../../messages/event-count.ts';
import { Count } from '../../ui/Count.tsx';
import { compactNumber, percent } from '../../ui/numbers.ts';

interface Counted {
  readonly count: string | number;
  /** Between which ends it lies, 19 times in 20; null where it is right to 1 %. */
  readonly estimated: { readonly low: number; readonly high: number } | null;
}

/** `53%`, `≈53%` where what it says is of an estimate. */
export const marked = (text: string, { estimated }: Pick<Counted, 'estimated'>): string =>
  estimated ? m.short({ count: text }) : text;

/** `1.2k`, `≈1.2k` of an estimate. */
export const shortCount = (of: Counted): string => marked(compactNumber(Number(of.count)), of);

/** `about 1,204 (1,150–1,260)`; undefined where it is no estimate. */
export const aboutCount = ({ count, estimated }: Counted): string | undefined =>
  estimated ? m.about({ count: Number(count), ...estimated }) : undefined;

/** How many events an issue has; of an estimate in short form, with the whole of it on hover and for screen readers. */
export function EventCount({ of }: { readonly of: Counted }) {
  const about = aboutCount(of);
  return about === undefined ? <Count value={Number(of.count)} /> : <Estimate short={shortCount(of)} about={about} />;
}

/** What may be an estimate, in short form, with the whole of it on hover and for screen readers. */
export function Estimate({ short, about }: { readonly short: string; readonly about: string | undefined }) {
  if (about === undefined) return short;
  return (
    <span data-tip={about}>
      <About short={short} about={about} />
    </span>
  );
}

/** An estimate in short form, and the whole of it for screen readers. */
const About = ({ short, about }: { readonly short: string; readonly about: string }) => (
  <>
    <span aria-hidden="true">{short}</span>
    <span className="visually-hidden">{about}</span>
  </>
);

/** The share of a count in all of which it is one, with the whole of an estimated count for screen readers. */
export function ShareOf({ of, total }: { readonly of: Counted; readonly total: number }) {
  const about = aboutCount(of);
  const share = percent(Number(of.count), total);
  return about === undefined ? share : <About short={marked(share, of)} about={about} />;
}
