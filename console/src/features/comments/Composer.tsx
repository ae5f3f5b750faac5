import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { FormError } from '../../ui/FormError.tsx';
import styles from './Composer.module.css';
import { type Asked, askedAt, complete, type Named, offered } from './completion.ts';
import { Markdown } from './Markdown.tsx';
import { useNames } from './use-names.ts';
import * as m from '../../messages/comments.ts';
import { Inline, Stack } from '../../ui/Layout.tsx';

const longest = 16_384;

/** Where Markdown is written: names are offered after @ and #, Ctrl or ⌘ with Enter sends, a preview shows what it becomes. */
export function Composer({
  label,
  hint,
  initial = '',
  action,
  busy,
  error,
  focused = false,
  onSend,
  onCancel,
}: {
  readonly label: string;
  /** In the empty field. */
  readonly hint: string;
  readonly initial?: string;
  /** What the button says. */
  readonly action: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly focused?: boolean;
  readonly onSend: (text: string) => void;
  readonly onCancel?: () => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initial);
  const [asked, setAsked] = useState<Asked>();
  const [chosen, setChosen] = useState(0);
  const [previewing, setPreviewing] = useState(false);
  const { people, names } = useNames();
  const options = asked ? offered(people, asked) : [];
  const current = options[Math.min(chosen, options.length - 1)];
  const optionId = (one: Named): string => `${id}-${one.kind}-${one.handle}`;
  const ready = text.trim() !== '' && text.length <= longest && !busy;

  useEffect(() => {
    if (!focused) return;
    const element = area.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [focused]);

  const look = (): void => {
    const element = area.current;
    const next =
      element && element.selectionStart === element.selectionEnd
        ? askedAt(element.value, element.selectionStart)
        : undefined;
    setAsked(next);
    if (next?.text !== asked?.text || next?.start !== asked?.start) setChosen(0);
  };
  const take = (one: Named): void => {
    const element = area.current;
    if (!element || !asked) return;
    const next = complete(text, element.selectionStart, asked, one);
    setText(next.text);
    setAsked(undefined);
    // The caret moves once React has written the text.
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(next.caret, next.caret);
    });
  };
  const send = (): void => {
    if (ready) onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (current && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      take(current);
    } else if (current && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((options.indexOf(current) + step + options.length) % options.length);
    } else if (event.key === 'Escape') {
      if (options.length > 0) setAsked(undefined);
      else if (onCancel) onCancel();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap={8}>
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        {previewing ? (
          <section className={styles.preview} aria-label={m.preview}>
            <Markdown text={text} names={names} />
          </section>
        ) : (
          <div className={styles.around}>
            <textarea
              ref={area}
              id={id}
              className={styles.area}
              value={text}
              rows={initial ? 5 : 3}
              placeholder={hint}
              aria-haspopup="listbox"
              aria-controls={`${id}-names`}
              aria-autocomplete="list"
              aria-activedescendant={current && options.length > 0 ? optionId(current) : undefined}
              aria-invalid={text.length > longest || undefined}
              onChange={(event) => {
                setText(event.target.value);
                look();
              }}
              onSelect={look}
              onKeyDown={onKeyDown}
              onBlur={() => setAsked(undefined)}
            />
            <div
              id={`${id}-names`}
              role="listbox"
              aria-label={m.names}
              className={styles.names}
              hidden={options.length === 0}
            >
              {options.map((one) => (
                <button
                  type="button"
                  key={optionId(one)}
                  translate="no"
                  id={optionId(one)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={one === current}
                  className={cx(one === current && styles.current)}
                  // The focus stays in the text.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => take(one)}
                >
                  <strong>
                    {one.kind === 'user' ? '@' : '#'}
                    {one.handle}
                  </strong>
                  <span>{one.name}</span>
                </button>
              ))}
            </div>
          </div>
        )}
        {text.length > longest && (
          <p className={styles.long} role="alert">
            {m.tooLong({ count: text.length - longest })}
          </p>
        )}
        <FormError error={error} />
        <Inline>
          <Button type="submit" size="small" variant="primary" busy={busy} disabled={!ready}>
            {action}
          </Button>
          {onCancel && (
            <Button size="small" variant="ghost" onClick={onCancel}>
              {m.cancel}
            </Button>
          )}
          <Button
            size="small"
            variant="ghost"
            aria-pressed={previewing}
            disabled={text.trim() === '' && !previewing}
            onClick={() => setPreviewing(!previewing)}
          >
            {previewing ? m.write : m.preview}
          </Button>
        </Inline>
      </Stack>
    </form>
  );
}
