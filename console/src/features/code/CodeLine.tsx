import type { MarkedPiece } from './tokens.ts';
import styles from '../../ui/code.module.css';

/** One line of coloured source. */
export function CodeLine({ pieces }: { readonly pieces: readonly MarkedPiece[] }) {
  return pieces.map((piece, index) => {
    const name = [piece.scope && styles[piece.scope.replaceAll('-', '_')], piece.marked && styles.marked]
      .filter(Boolean)
      .join(' ');
    return name ? (
      <span key={index} className={name}>
        {piece.text}
      </span>
    ) : (
      piece.text
    );
  });
}
