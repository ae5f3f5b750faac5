/** Base UI's tooltip in our clothes; `Tips` asks for it with the first tip. */
import { Tooltip as Base } from '@base-ui/react/tooltip';
import styles from './Tips.module.css';

export function TipPopup({ anchor, text }: { readonly anchor: Element; readonly text: string }) {
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Positioner
          className={styles.positioner}
          anchor={anchor}
          side="bottom"
          sideOffset={6}
          collisionPadding={6}
        >
          <Base.Popup className={styles.tip} aria-hidden="true" data-tip-popup="">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
