/** What differs from one version of the algorithm to the next. Each decides hashes, so each belongs to one version. */
import type { Frame } from '../event.ts';
import type { Family } from '../family.ts';
import type { BuiltInRule } from './built-in-rule.ts';
import type { StackTraceRule } from './rules/stack-trace-rules.ts';

export interface StableName {
  readonly name: string;
  /** True when a content hash was cut off. */
  readonly hashed: boolean;
}

export interface Algorithm {
  /** Whether events of one bug with source maps and without find each other by type and message. */
  readonly joinsByWords: boolean;
  /** Id; stands with each hash that it made. */
  readonly version: string;
  /** `in_app` of the frame is the SDK's word; `isMarkedBySdk` is whether the SDK said it of any frame of the stack. */
  readonly isInApp: (frame: Frame, platform: string, isMarkedBySdk: boolean) => boolean;
  /** Whether a function that nobody named counts as one whose name a minifier took. */
  readonly namelessIsMinified: boolean;
  /** Base name in lower case without its content hash; '' when it was nothing but a hash. */
  readonly stableFileName: (base: string) => StableName;
  /** The module with the hash of its last part cut off. */
  readonly stableModule: (module: string) => StableName;
  /** Whether names in the file may be a minifier's, beside what is loaded from the web or has a content hash. */
  readonly isBundle: (path: string) => boolean;
  /** Whether a module is the address of the page. */
  readonly isPageAddress: (module: string, path: string) => boolean;
  /** The name of a function as it is compared; '' for none. */
  readonly shortName: (raw: string, family: Family) => string;
  /** Java's generated classes count by what they were generated from. */
  readonly javaModule: (module: string) => string;
  /** What counts of a message: its first lines with placeholders for what differs from event to event. */
  readonly messageValue: (text: string) => string;
  readonly builtInRules: readonly BuiltInRule[];
  /** Stack trace rules that are applied before the project's own. */
  readonly baseRules: (family: Family) => readonly StackTraceRule[];
}
