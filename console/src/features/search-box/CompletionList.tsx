import { useEffect, useRef } from 'react';
import * as m from '../../messages/search-box.ts';
import { cx } from '../../ui/cx.ts';
import type { Option } from './option.ts';
import styles from './SearchBox.module.css';

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** What may come next. The focus stays in the input, which names the active one, also when one is pressed. */
export function CompletionList({
  id,
  options,
  active,
  emptyText,
  onChoose,
}: {
  readonly id: string;
  readonly options: readonly Option[];
  /** -1 for none. */
  readonly active: number;
  /** In the place of options. */
  readonly emptyText: string;
  readonly onChoose: (option: Option) => void;
}) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = popup.current;
    element?.addEventListener('mousedown', keepFocus);
    return () => element?.removeEventListener('mousedown', keepFocus);
  }, []);
  const sections = Map.groupBy(
    options.map((option, index) => ({ option, index })),
    ({ option }) => option.section,
  );
  return (
    <div ref={popup} className={styles.popup}>
      <div id={id} role="listbox" aria-label={m.completions} className={styles.options}>
        {[...sections].map(([section, rows]) => (
          <div key={section} role="group" aria-label={section}>
            <div className={styles.section} aria-hidden="true">
              {section}
            </div>
            {rows.map(({ option, index }) => (
              <button
                type="button"
                key={option.id}
                id={optionId(id, index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                ref={index === active ? bringIntoView : undefined}
                className={cx(styles.option, index === active && styles.active)}
                onClick={() => onChoose(option)}
              >
                <span className={styles.label} translate="no">
                  {option.label}
                </span>
                <span className={styles.detail}>{option.detail}</span>
                <span className={styles.amount}>{option.note}</span>
              </button>
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && <p className={styles.nothing}>{emptyText}</p>}
      <p className={styles.keys} aria-hidden="true">
        <span>{m.keyChoose({ up: <kbd>↑</kbd>, down: <kbd>↓</kbd> })}</span>
        <span>{m.keyTake({ key: <kbd>Tab</kbd> })}</span>
        <span>{m.keySearch({ key: <kbd>Enter</kbd> })}</span>
        <span>{m.keyText({ key: <kbd>F2</kbd> })}</span>
      </p>
    </div>
  );
}

const keepFocus = (event: Event): void => event.preventDefault();

const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });
