/**
 * What stands where nothing is, a record each. It is declared once, in the `empty.ts` beside its page or its part; `Empty`
 * draws it, and a test goes through all of them.
 */
import type { ReactNode } from 'react';
import { type Icon, NotFoundIcon, OkIcon, WaitingIcon, WarningIcon } from '../../ui/icons.ts';
import type { Place } from './places.ts';

/** Why nothing is there, and how that looks where its place has no icon of its own. */
export const emptyKinds = {
  /** Nothing so far: it arrives, or is created here. */
  'nothing-yet': WaitingIcon,
  /** Nothing can arrive until something is set up. */
  'not-set-up': WaitingIcon,
  /** Something is stored, and the filters or the time range leave it out. */
  'no-match': NotFoundIcon,
  /** The query cannot be read. */
  'not-valid': WarningIcon,
  /** That there is nothing is the answer. */
  'all-well': OkIcon,
  /** What the address names does not exist. */
  'not-found': NotFoundIcon,
} as const satisfies Readonly<Record<string, Icon>>;

export type EmptyKind = keyof typeof emptyKinds;

/** A text of the catalogue, or what makes one of the values that the page has. */
export type Words<Values> = ReactNode | ((values: Values) => ReactNode);

export interface EmptyAction<Values> {
  readonly label: Words<Values>;
  readonly icon?: Icon;
  /** Where it leads; the values have its parameters. Left out, the page acts itself. */
  readonly to?: Place['to'];
  /** What becomes of the address. */
  readonly search?: (before: never, values: Values) => object;
}

export interface EmptyRecord<Values = unknown> {
  readonly kind: EmptyKind;
  readonly icon?: Icon;
  readonly title: Words<Values>;
  /** What that means, or how the first one gets here. */
  readonly hint?: Words<Values>;
  readonly action?: EmptyAction<Values>;
  /** It is all that the page shows. */
  readonly isPage?: true;
}
