import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Completion, preloadCompletion } from '../../ui/Completion.tsx';
import type { CompletionKeys, CompletionOption } from '../../ui/completion.ts';
import { FormError } from '../../ui/FormError.tsx';
import styles from './Composer.module.css';
import { type Asked, askedAt, complete, type Named, offered } from './completion.ts';
import { Markdown } from './Markdown.tsx';
import { useNames } from './use-names.ts';
import * as m from '../../messages/comments.ts';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { PlainForm } from '../../ui/PlainForm.tsx';

const longest = 16_384;

interface NameOption extends CompletionOption {
  readonly named: Named;
}

const optionOf = (named: Named): NameOption => ({
  id: `${named.kind} ${named.handle}`,
  label: `${named.kind === 'user' ? '@' : '#'}${named.handle}`,
  detail: named.name,
  named,
});

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
  const [activeId, setActive] = useState<string>();
  const list = useRef<CompletionKeys>(null);
  const [previewing, setPreviewing] = useState(false);
  const { people, names } = useNames();
  const options = asked ? offered(people, asked).map(optionOf) : [];
  const current = options.find((option) => option.id === activeId);
  const isOffering = asked !== undefined && options.length > 0;
  const ready = text.trim() !== '' && text.length <= longest && !busy;

  useEffect(() => {
    if (!focused) return;
    const element = area.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [focused]);

  const look = (): void => {
    const element = area.current;
    const isCaret = element && element.selectionStart === element.selectionEnd;
    setAsked(isCaret ? askedAt(element.value, element.selectionStart) : undefined);
  };
  const take = ({ named }: NameOption): void => {
    const element = area.current;
    if (!element || !asked) return;
    const next = complete(text, element.selectionStart, asked, named);
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
      list.current?.onKeyDown(event);
    } else if (event.key === 'Escape') {
      if (isOffering) setAsked(undefined);
      else if (onCancel) onCancel();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <PlainForm onSubmit={send}>
      <Stack gap={8}>
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        {previewing ? (
          <section className={styles.preview} aria-label={m.preview}>
            <Markdown text={text} names={names} />
          </section>
        ) : (
          <>
            <textarea
              ref={area}
              id={id}
              className={styles.area}
              value={text}
              rows={initial ? 5 : 3}
              placeholder={hint}
              aria-haspopup="listbox"
              aria-autocomplete="list"
              aria-controls={isOffering ? `${id}-names` : undefined}
              aria-invalid={text.length > longest || undefined}
              onFocus={preloadCompletion}
              onChange={(event) => {
                setText(event.target.value);
                look();
                list.current?.onChange(event);
              }}
              onSelect={look}
              onKeyDown={onKeyDown}
              onBlur={() => setAsked(undefined)}
            />
            {isOffering && (
              <Completion
                id={`${id}-names`}
                field={area}
                keys={list}
                label={m.names}
                value={text}
                question={String(asked.start)}
                options={options}
                firstActive
                onActive={setActive}
                onChoose={take}
              />
            )}
          </>
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
    </PlainForm>
  );
}
