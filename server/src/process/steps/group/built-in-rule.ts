/** A fingerprint that the product sets by itself, where neither client nor project did. Data of a version. */
export interface BuiltInRule {
  readonly id: string;
  /** In words, for the explanation. */
  readonly name: string;
  /** One exception must match all that is given. */
  readonly type?: RegExp;
  readonly value?: RegExp;
  /** Only exceptions without a stack. */
  readonly withoutFrames?: boolean;
  readonly fingerprint: readonly string[];
}
