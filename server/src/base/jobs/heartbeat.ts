/** What was claimed is another's now; what was about to be written is theirs to write. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** How long a node may be silent before another takes over what it has claimed, unless the work says otherwise. */
export const defaultLeaseMs = 20_000;

/** A claim is kept so often in its time that one or two beats may be missed. */
export const beatsOfLease = 3;

/**
 * Keeps a claim while `work` is under way. `keep` answers false when the claim is another's: then the signal is aborted with
 * `LeaseLost`. Where it throws, the store is away, and what the work writes at its end decides.
 */
export async function withHeartbeat<T>(
  { keep, leaseMs, signal }: { keep: () => Promise<boolean>; leaseMs: number; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  let beat: Promise<void> | undefined;
  const timer = setInterval(() => {
    beat ??= keep()
      .then((kept) => (kept ? undefined : lost.abort(new LeaseLost('another node took over'))))
      .catch(() => {})
      .finally(() => (beat = undefined));
  }, leaseMs / beatsOfLease);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
    await beat;
  }
}
