import { RemoveIcon } from '../../ui/icons.ts';
import type { Place } from '@culprit/search';
import * as m from '../../messages/search-box.ts';
import { cx } from '../../ui/cx.ts';
import styles from './SearchBox.module.css';
import { segmentsOf, type Token } from './tokens.ts';

/** A term, an operator or a parenthesis. Arrow keys lead to it from the input, so it is no tab stop of its own. */
export function TermChip({
  token,
  problems,
  onOpen,
  onRemove,
}: {
  readonly token: Token;
  readonly problems: readonly Place[];
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}) {
  const isTerm = token.kind === 'filter' || token.kind === 'text';
  return (
    <span className={cx(styles.token, !isTerm && styles.joint)}>
      <button
        type="button"
        tabIndex={-1}
        className={styles.term}
        aria-label={m.edit({ term: token.text })}
        onClick={onOpen}
      >
        <Marked token={token} problems={problems} />
      </button>
      {isTerm && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.remove}
          aria-label={m.remove({ term: token.text })}
          onClick={onRemove}
        >
          <RemoveIcon size={12} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

/** The text, with its name set off from its value, and what is wrong underlined. */
export function Marked({ token, problems }: { readonly token: Token; readonly problems: readonly Place[] }) {
  return segmentsOf(token, problems).map(({ text, part, wrong }, index) => (
    <span key={index} className={cx(part === 'name' && styles.name, wrong && styles.wrong)} translate="no">
      {text}
    </span>
  ));
}
