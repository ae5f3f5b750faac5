/** One call of a stack. */
export interface StackFrame {
  readonly function?: string;
  /** What the function lies in: `com.example.shop.Cart`, `github.com/org/shop/cart`, `shop.cart`. */
  readonly module?: string;
  /** Crate, application or library, where the language prints one. */
  readonly package?: string;
  /** As short as the language prints it. */
  readonly filename?: string;
  readonly absPath?: string;
  readonly lineno?: number;
  readonly colno?: number;
  readonly inApp?: boolean;
  /** Java's "Native Method". */
  readonly native?: boolean;
  /** The line of source that stands below the frame, without its indentation. */
  readonly source?: string;
}

/**
 * What an exception is to the one it belongs to: `cause` was given (`raise … from`, `Caused by`), `context` was being
 * handled when that one came up, `suppressed` came up while that one was on its way, `member` is part of its group.
 */
export type StackRelation = 'cause' | 'context' | 'suppressed' | 'member';

export interface StackException {
  /** Without its module. */
  readonly type: string;
  readonly module?: string;
  /** The message, with all of its lines. */
  readonly value: string;
  /** Oldest call first. */
  readonly frames: readonly StackFrame[];
  readonly relation?: StackRelation;
  /** Place in the list of the exception that this one belongs to; the first one belongs to none. */
  readonly parent?: number;
}

/** Exceptions of one text: first the one that was reported, then what it came from, in the order of their depth. */
export interface StackText {
  readonly language: StackLanguage;
  readonly exceptions: readonly StackException[];
  /** Of the thread or goroutine, where the text names it. */
  readonly thread?: string;
}

/** Named as events name their platform. */
export type StackLanguage = 'csharp' | 'elixir' | 'go' | 'java' | 'javascript' | 'php' | 'python' | 'ruby' | 'rust';
