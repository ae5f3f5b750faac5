/** What differs from one version of the algorithm to the next. Each decides hashes, so each belongs to one version. */
import type { Event, Exception, Thread } from '../event.ts';
import type { Family } from '../family.ts';
import type { Judge } from '../in-app.ts';
import type { BuiltInRule } from './built-in-rule.ts';
import type { FrameParts } from './frame.ts';
import type { StackTraceRule } from './rules/stack-trace-rules.ts';

export interface StableName {
  readonly name: string;
  /** True when a content hash was cut off. */
  readonly hashed: boolean;
}

/** Text that counts beside a stack, and why. */
export interface Beside {
  readonly value: string;
  readonly why: string;
}

export interface Algorithm extends Judge {
  /** Whether events of one bug with source maps and without find each other by type and message. */
  readonly joinsByWords: boolean;
  /** Id; stands with each hash that it made. */
  readonly version: string;
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
  /** What counts of the text of an error. */
  readonly errorValue: (text: string, platform: string) => string;
  /** Why the text of an error counts beside its stack; undefined where the stack says enough. */
  readonly textBesideStack: (exception: Exception, platform: string) => string | undefined;
  /** What of a message counts beside the stack that it was captured with; `last` is the frame nearest to the call. */
  readonly messageBesideStack: (event: Event, last: FrameParts | undefined) => Beside | undefined;
  /** Whose stack stands for an event without exceptions, where a fingerprint asks for a frame. */
  readonly threadOf: (event: Event) => Thread | undefined;
  readonly builtInRules: readonly BuiltInRule[];
  /** Stack trace rules that are applied before the project's own. */
  readonly baseRules: (family: Family) => readonly StackTraceRule[];
}
