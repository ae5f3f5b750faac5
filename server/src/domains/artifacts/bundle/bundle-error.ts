/** Why a bundle is refused: a sentence for the uploader that says what to do. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
  /** True where the same bundle may be fine when it is uploaded again. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass = false, cause }: { mayPass?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.mayPass = mayPass;
  }
}

/** A name from outside as it may stand in a sentence. */
export const quoted = (name: string): string => JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);
