import { EditAsTextIcon, RemoveIcon, SearchIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useEffect, useId, useRef } from 'react';
import * as m from '../../messages/search-box.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Completion, preloadCompletion } from '../../ui/Completion.tsx';
import { cx } from '../../ui/cx.ts';
import { fieldFrameClass } from '../../ui/field-frame.ts';
import { Kbd } from '../../ui/Kbd.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { PlainForm } from '../../ui/PlainForm.tsx';
import { useCommand } from '../commands/commands.ts';
import { Marked, TermChip } from './TermChip.tsx';
import type { DraftView } from './draft.ts';
import { emptyWords } from './empty-words.ts';
import styles from './SearchBox.module.css';
import { type SearchBoxQuestion, useSearchBox } from './use-search-box.ts';

const Problems = lazily(async () => (await import('./Problems.tsx')).Problems);
const SearchHelp = lazy(() => import('./SearchHelp.tsx').then((module) => ({ default: module.SearchHelp })));

interface Props extends SearchBoxQuestion {
  readonly label: string;
  readonly placeholder?: string;
  /** Text that is pasted into the empty box; true when it is handled elsewhere. */
  readonly onPastedWhole?: (text: string) => boolean;
  /** For forms: the query in the box when the focus leaves it. */
  readonly onLeave?: (query: string) => void;
}

/** A search as chips and as text, which are one thing: terms stand in their order, and the one at the caret is text. */
export function SearchBox({ label, placeholder, onPastedWhole, onLeave, ...question }: Props) {
  const frame = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [listId, problemsId] = [useId(), useId()];
  const box = useSearchBox(question, input);
  const { draft, view, isPlain, isOpen, completion } = box;
  const isRefused = box.problems.length > 0;
  const problems = isRefused ? box.problems : box.hints;
  useEffect(() => {
    if (location.hash === '#search') input.current?.focus();
  }, []);
  useCommand('list.search', () => {
    input.current?.focus();
    box.setOpen(true);
  });

  const chips = (tokens: DraftView['tokens']) =>
    tokens.map((token) => (
      <TermChip
        key={token.start}
        token={token}
        problems={problems}
        onOpen={() => box.openToken(token)}
        onRemove={() => box.removeToken(token)}
      />
    ));

  return (
    <search className={styles.whole}>
      <PlainForm
        ref={frame}
        className={cx(fieldFrameClass, styles.box)}
        data-invalid={isRefused || undefined}
        onSubmit={box.submit}
      >
        <SearchIcon size={14} aria-hidden="true" className={styles.glass} />
        <label className={styles.query}>
          {chips(view.left)}
          <span className={styles.slot} data-growing={view.right.length === 0 || undefined}>
            <Mirror view={view} problems={problems} />
            <input
              ref={input}
              role="combobox"
              value={draft.input}
              size={Math.max(2, draft.input.length + 1)}
              onFocus={() => {
                box.begin();
                preloadCompletion();
                Problems.preload();
              }}
              onChange={(event) => {
                const { value, selectionStart } = event.target;
                box.type(value, selectionStart ?? value.length);
                box.list.current?.onChange(event);
              }}
              onSelect={(event) => box.setCaret(event.currentTarget.selectionStart ?? 0)}
              onClick={() => box.setOpen(true)}
              onBlur={() => {
                box.setOpen(false);
                onLeave?.(view.query.trim());
              }}
              onKeyDown={box.onKeyDown}
              onPaste={(event) => {
                const pasted = event.clipboardData.getData('text/plain');
                if (view.query === '' && onPastedWhole?.(pasted)) event.preventDefault();
              }}
              onScroll={(event) => {
                const mirror = event.currentTarget.previousElementSibling;
                if (mirror) mirror.scrollLeft = event.currentTarget.scrollLeft;
              }}
              className={styles.input}
              placeholder={view.query === '' ? placeholder : undefined}
              aria-label={label}
              aria-expanded={isOpen}
              aria-controls={isOpen ? listId : undefined}
              aria-autocomplete="list"
              aria-invalid={isRefused || undefined}
              aria-describedby={problems.length > 0 ? problemsId : undefined}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              enterKeyHint="search"
            />
          </span>
          {chips(view.right)}
        </label>
        <span className={styles.buttons}>
          {/* Terms in the box are not searched before this. */}
          {!box.isAsAsked && (
            <Button type="submit" size="small" tip={m.searchTip}>
              {m.search}
            </Button>
          )}
          {view.query ? (
            <IconButton size="small" label={m.clear} icon={<RemoveIcon size={14} />} onClick={box.clear} />
          ) : (
            <span className={styles.key}>
              <Kbd keys="s" />
            </span>
          )}
          <IconButton
            size="small"
            label={isPlain ? m.editAsChips : m.editAsText}
            tip={isPlain ? m.editAsChipsTip : m.editAsTextTip}
            icon={<EditAsTextIcon size={14} />}
            onClick={box.togglePlain}
          />
          <Suspense fallback={<span className={styles.helpSpace} />}>
            <SearchHelp dataSet={question.dataSet} />
          </Suspense>
        </span>
        {isOpen && (
          <Completion
            id={listId}
            field={input}
            keys={box.list}
            anchor={frame}
            label={m.completions}
            value={draft.input}
            question={`${completion.kind} ${view.inputPlace.start} ${completion.replace.start}`}
            options={box.options}
            empty={emptyWords(completion, box.lookup)}
            foot={<KeysOfList />}
            onActive={box.setActive}
            onChoose={box.choose}
          />
        )}
      </PlainForm>
      <output className="visually-hidden">{isPlain ? '' : placeOf(view)}</output>
      {problems.length > 0 && (
        <Problems id={problemsId} problems={problems} isRefused={isRefused} onAccept={box.accept} />
      )}
    </search>
  );
}

const KeysOfList = () => (
  <>
    <span>{m.keyChoose({ up: <kbd>↑</kbd>, down: <kbd>↓</kbd> })}</span>
    <span>{m.keyTake({ key: <kbd>Tab</kbd> })}</span>
    <span>{m.keySearch({ key: <kbd>Enter</kbd> })}</span>
    <span>{m.keyText({ key: <kbd>F2</kbd> })}</span>
  </>
);

/** The text of the input again, unseen, so that a part of it can be underlined. */
function Mirror({
  view,
  problems,
}: {
  readonly view: DraftView;
  readonly problems: Parameters<typeof Marked>[0]['problems'];
}) {
  const { tokens, inputPlace, query } = view;
  const inside = tokens.filter(({ start }) => start >= inputPlace.start && start < inputPlace.end);
  return (
    <span className={styles.mirror} aria-hidden="true">
      {inside.map((token, index) => (
        <span key={token.start}>
          {query.slice(inside[index - 1]?.end ?? inputPlace.start, token.start)}
          <Marked token={token} problems={problems} />
        </span>
      ))}
    </span>
  );
}

/** For those who hear where the caret is between the chips. */
function placeOf({ left, right }: DraftView): string {
  const [next] = right;
  if (!next) return '';
  const before = left.at(-1);
  return before ? m.between({ left: before.text, right: next.text }) : m.before({ right: next.text });
}
