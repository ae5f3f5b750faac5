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
  /** Only exceptions without a function's name in their stack: SDKs add a frame for the page. */
  readonly withoutNames?: boolean;
  /** Also the message of an event without exceptions. */
  readonly ofMessages?: boolean;
  readonly fingerprint: readonly string[];
}
