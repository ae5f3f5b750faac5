/** What is used of it; it has no types. */
export interface DecryptOptions {
  /** PEM. */
  readonly key: string;
  readonly warnInsecureAlgorithm: boolean;
  readonly disallowDecryptionWithInsecureAlgorithm: boolean;
}

export declare function decrypt(
  xml: string,
  options: DecryptOptions,
  done: (error: Error | null, result: string) => void,
): void;
