/** What is known of a script while its brackets are read. */
import type { NumberList } from './bytes.ts';

/** Offsets in the text, in UTF-16 code units. A function is a stretch of it, and perhaps a name that stands somewhere before its parameters. */
export interface ScannedFunctions {
  readonly starts: NumberList;
  readonly ends: NumberList;
  /** Of the name: where its token begins, + 1; 0: no name. */
  readonly sites: NumberList;
  readonly nameStarts: NumberList;
  readonly nameEnds: NumberList;
}

/** Of the name that a function has or is given; `at` is where its token begins. Offsets. */
export interface Site {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Not the function's own name, but that of what it is assigned to. */
  readonly isInferred?: boolean;
}

/** An open bracket, or what else ends where a bracket does. */
export type Frame =
  | { readonly kind: 'paren'; readonly at: number; readonly role: ParenRole }
  | { readonly kind: 'bracket' | 'block' | 'object' | 'template' }
  | { readonly kind: 'class'; readonly site: Site | undefined }
  | { readonly kind: 'body'; readonly id: number; readonly isInferred: boolean }
  /** The body of an arrow function without braces, with the number of its `?` that wait for their `:`. */
  | { readonly kind: 'arrow'; readonly id: number; waiting: number };

/** What a bracket may turn out to be once it is known what follows it. */
export interface ParenRole {
  readonly isParams: boolean;
  readonly isControl: boolean;
  /** Of the function or method whose parameters these are. */
  readonly site: Site | undefined;
  readonly isMethod: boolean;
  /** Of the arrow function whose parameters these are, and where that begins. */
  readonly arrowSite: Site | undefined;
  readonly start: number;
}
