import { PasteIcon, SearchIcon } from '../../ui/icons.ts';
import { useEffect, useRef, useState } from 'react';
import * as m from '../../messages/find.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { fieldFrameClass } from '../../ui/field-frame.ts';
import { PlainForm } from '../../ui/PlainForm.tsx';
import { toast } from '../../ui/toasts.ts';
import { useCommand } from '../commands/commands.ts';
import styles from './FindBox.module.css';
import { askable, isTelling } from './pasted.ts';

/** Takes any text, of any length. Pasting over the whole box searches immediately; typed text is searched on Enter. */
export function FindBox({ value, onFind }: { readonly value: string; readonly onFind: (text: string) => void }) {
  const [text, setText] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  if (shownValue !== value) {
    setShownValue(value);
    setText(value);
  }
  const input = useRef<HTMLTextAreaElement>(null);
  const ask = (asked: string): void => {
    const question = askable(asked);
    setText(question);
    if (question) onFind(question);
  };
  // Only on arrival: emptying the box later leaves the focus where the reader put it.
  const [cameEmpty] = useState(value === '');
  useEffect(() => {
    if (cameEmpty) input.current?.focus();
  }, [cameEmpty]);
  useCommand('find', () => {
    input.current?.focus();
    input.current?.select();
  });
  const pasteFromClipboard = async (): Promise<void> => {
    try {
      ask(await navigator.clipboard.readText());
    } catch {
      input.current?.focus();
      toast(m.clipboardRefused, { kind: 'failed' });
    }
  };

  return (
    <search>
      <PlainForm className={styles.whole} onSubmit={() => ask(text)}>
        <label className="visually-hidden" htmlFor="find">
          {m.box}
        </label>
        <div className={cx(fieldFrameClass, styles.box)}>
          <SearchIcon size={16} aria-hidden="true" />
          <textarea
            ref={input}
            id="find"
            rows={Math.min(5, text.split('\n').length)}
            value={text}
            className={styles.input}
            placeholder={m.placeholder}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            enterKeyHint="search"
            onChange={(event) => setText(event.target.value)}
            onPaste={(event) => {
              const box = event.currentTarget;
              const pasted = event.clipboardData.getData('text/plain');
              if (box.selectionEnd - box.selectionStart < box.value.length || !isTelling(pasted)) return;
              event.preventDefault();
              ask(pasted);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault();
                ask(text);
              }
            }}
          />
        </div>
        <div className={styles.buttons}>
          {'clipboard' in navigator && 'readText' in navigator.clipboard && (
            <Button icon={<PasteIcon size={14} />} onClick={() => void pasteFromClipboard()}>
              {m.paste}
            </Button>
          )}
          <Button type="submit" variant="primary">
            {m.find}
          </Button>
        </div>
      </PlainForm>
    </search>
  );
}
