import { DoneIcon } from '../../ui/icons.ts';
import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../../ui/cx.ts';
import { Avatar } from './Avatar.tsx';
import type { Choice } from './choices.ts';
import styles from './Chooser.module.css';

/**
 * A menu that is typed into: what is written narrows it, arrows walk it, Enter takes the marked one. It stands at its
 * anchor on the browser's top layer; Escape, outside clicks and the way of the focus back are the platform's.
 */
export function Chooser({
  title,
  placeholder,
  anchor,
  choicesOf,
  note,
  onChoose,
  onClose,
}: {
  readonly title: string;
  readonly placeholder: string;
  readonly anchor: Element;
  readonly choicesOf: (typed: string) => readonly Choice[];
  /** What is still on its way, or what else may be typed. */
  readonly note?: string | undefined;
  readonly onChoose: (choice: Choice) => void;
  readonly onClose: () => void;
}) {
  const id = useId();
  const panel = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const choices = choicesOf(typed);
  const [marked, setMarked] = useState(0);
  const at = Math.min(marked, choices.length - 1);

  const closed = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    element.showPopover();
    place(element, anchor);
    input.current?.focus();
    const toggled = (event: Event): void => {
      if ((event as ToggleEvent).newState === 'closed') closed();
    };
    const again = (): void => place(element, anchor);
    element.addEventListener('toggle', toggled);
    addEventListener('resize', again);
    return () => {
      element.removeEventListener('toggle', toggled);
      removeEventListener('resize', again);
    };
  }, [anchor]);
  const choose = (choice: Choice | undefined): void => {
    if (!choice) return;
    // The focus goes back first, so that what is done finds it where it was.
    panel.current?.hidePopover();
    onChoose(choice);
  };

  return (
    <dialog ref={panel} popover="auto" className={styles.panel} aria-label={title}>
      <input
        ref={input}
        className={styles.input}
        role="combobox"
        aria-label={title}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setMarked(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step && choices.length > 0) setMarked((at + step + choices.length) % choices.length);
          else if (event.key === 'Enter') choose(choices[at]);
          else if (event.key === 'Tab') panel.current?.hidePopover();
          else return;
          event.preventDefault();
        }}
      />
      <div id={id} className={styles.list} role="listbox" aria-label={title}>
        {choices.map((choice, index) => (
          <button
            type="button"
            key={choice.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={cx(styles.choice, index === at && styles.marked)}
            ref={index === at ? bringIntoView : undefined}
            onPointerMove={() => setMarked(index)}
            // The focus stays where it is typed.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(choice)}
          >
            {choice.assignee && <Avatar who={choice.assignee} />}
            <span className={styles.label}>{choice.label}</span>
            {choice.detail && <span className={styles.detail}>{choice.detail}</span>}
            {choice.current && (
              <span className={styles.current}>
                <DoneIcon size={14} aria-hidden="true" />
                <span className="visually-hidden">now</span>
              </span>
            )}
          </button>
        ))}
      </div>
      {choices.length === 0 && <p className={styles.note}>Nothing of this name.</p>}
      {note && <p className={styles.note}>{note}</p>}
    </dialog>
  );
}

const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

const gap = 4;
const edge = 8;

/** Below its anchor, or above where there is more room; never beyond the edge of the window. */
function place(element: HTMLElement, anchor: Element): void {
  const at = anchor.getBoundingClientRect();
  const own = element.getBoundingClientRect();
  const left = at.left + own.width > innerWidth - edge ? at.right - own.width : at.left;
  const below = at.bottom + gap;
  const fits = below + own.height <= innerHeight - edge;
  element.style.left = `${Math.max(edge, Math.min(left, innerWidth - own.width - edge))}px`;
  element.style.top = `${fits ? below : Math.max(edge, at.top - own.height - gap)}px`;
}
