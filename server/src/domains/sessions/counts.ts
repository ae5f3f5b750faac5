/** Numbers of sessions and users, and rates of them. */

export const kinds = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed'] as const;
export type SessionKind = (typeof kinds)[number];

/** Each is in one of the kinds; they add up to the total. */
export type Parts = Readonly<Record<SessionKind | 'total', number>>;

export const noParts: Parts = { total: 0, healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 };

/** From how many are at least so bad: all, errored, unhandled, abnormal, crashed. */
export function partsOf(atLeast: readonly number[]): Parts {
  const [all = 0, ...worse] = atLeast;
  // Sets that are samples may come out a little larger than those that hold them.
  const steps = [all, ...worse].map((_, index, list) => Math.max(...list.slice(index)));
  const between = (index: number): number => (steps[index] ?? 0) - (steps[index + 1] ?? 0);
  return {
    total: steps[0] ?? 0,
    healthy: between(0),
    errored: between(1),
    unhandled: between(2),
    abnormal: between(3),
    crashed: between(4),
  };
}

/** Undefined without any: nothing ran, which is neither good nor bad. */
export const shareOf = (part: number, total: number): number | undefined => (total > 0 ? part / total : undefined);

/** An unhandled error is an error after which the application went on, no crash. */
export function crashFree({ crashed, total }: Pick<Parts, 'crashed' | 'total'>): number | undefined {
  const share = shareOf(crashed, total);
  return share === undefined ? undefined : 1 - share;
}
