import { completionsAt, type DataSet } from '@culprit/search';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Search, TextCursorInput, X } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { ApiError } from '../../api/errors.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { useCommand } from '../commands/commands.ts';
import { useOrg } from '../session/organization.ts';
import { Chip, Marked } from './Chip.tsx';
import { CompletionList, optionId } from './CompletionList.tsx';
import * as drafts from './draft.ts';
import { type Option, optionsFor } from './options.ts';
import { Problems, type ShownProblem } from './Problems.tsx';
import { noteRecentSearch } from './queries.ts';
import styles from './SearchBox.module.css';
import { useSources } from './use-sources.ts';

const SearchHelp = lazy(() => import('./SearchHelp.tsx').then((module) => ({ default: module.SearchHelp })));

interface Props {
  /** The query that is shown; what is typed is asked on Enter. */
  readonly value: string;
  readonly dataSet: DataSet;
  /** Of the request for `value`: a refused query is marked where it is wrong. */
  readonly error: unknown;
  /** How much of the query that was sent stands before `value`. */
  readonly sentBefore?: number;
  readonly onSearch: (query: string) => void;
  /** Ids of the projects whose data is completed from; left out, those of the page. */
  readonly projectIds?: readonly string[] | undefined;
  readonly label: string;
  readonly placeholder?: string;
  /** True when the pasted text is taken care of elsewhere. */
  readonly onPastedWhole?: (text: string) => boolean;
}

/** A search as chips and as text, which are one thing: terms stand in their order, and the one at the caret is text. */
export function SearchBox(props: Props) {
  const { value, dataSet, error, sentBefore = 0, onSearch, projectIds, label, placeholder, onPastedWhole } = props;
  const org = useOrg();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => drafts.draftOf(value));
  const [isPlain, setPlain] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [caret, setCaret] = useState(0);
  const [isRefused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const wantedCaret = useRef<number | undefined>(undefined);
  const [listId, problemsId] = [useId(), useId()];
  const view = drafts.viewOf(draft, dataSet);

  // The address changed by other means, such as a link: the box follows.
  const [shownValue, setShownValue] = useState(value);
  if (shownValue !== value) {
    setShownValue(value);
    if (view.query.trim() !== value.trim()) setDraft(isPlain ? drafts.plainDraft(value) : drafts.draftOf(value));
    setRefused(false);
  }
  useEffect(() => {
    if (location.hash === '#search') input.current?.focus();
  }, []);
  useCommand('list.search', () => {
    input.current?.focus();
    setOpen(true);
  });
  useLayoutEffect(() => {
    if (wantedCaret.current === undefined) return;
    input.current?.focus();
    input.current?.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = undefined;
  });

  const note = useMutation({
    mutationFn: (query: string) => noteRecentSearch(org, dataSet === 'issues' ? 'issues' : 'explore', query),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['search', org, 'recent'] }),
  });
  const completion = completionsAt(view.query, view.inputPlace.start + Math.min(caret, draft.input.length), dataSet);
  const { sources, loading } = useSources({ dataSet, projectIds, completion, enabled: isOpen });
  const options = isOpen ? optionsFor(completion, view.query, dataSet, sources) : [];
  const activeOption = options[active];

  const change = (next: drafts.Draft, at = next.input.length): void => {
    wantedCaret.current = at;
    setDraft(next);
    setCaret(at);
    setActive(-1);
    setRefused(false);
  };
  /** Asks, unless something is wrong; then it is said. */
  const run = (next: drafts.Draft): void => {
    const { query, problems } = drafts.viewOf(next, dataSet);
    change(next);
    setOpen(false);
    if (problems.length > 0) {
      setRefused(true);
      return;
    }
    if (query.trim()) note.mutate(query.trim());
    onSearch(query.trim());
  };
  const settled = (next: drafts.Draft): drafts.Draft => (isPlain ? next : drafts.committed(next));
  const whole = (query: string): drafts.Draft => (isPlain ? drafts.plainDraft(query) : drafts.draftOf(query));

  const choose = (option: Option): void => {
    if (option.gives === 'query') {
      run(whole(option.text));
      return;
    }
    const next = drafts.replaced(draft, completion.replace, option.text, dataSet);
    const from = Math.min(view.inputPlace.start, completion.replace.start);
    const after = drafts.viewOf(next, dataSet);
    const isWhole = !after.problems.some(({ end }) => end > after.inputPlace.start);
    if (option.gives === 'more' || !isWhole) {
      change(next, completion.replace.start - from + option.text.length);
      return;
    }
    if (after.problems.length === 0) run(settled(next));
    else change(settled(next));
  };

  const togglePlain = (): void => {
    const query = view.query.trim();
    setPlain(!isPlain);
    setOpen(false);
    change(isPlain ? drafts.draftOf(query) : drafts.plainDraft(query));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isBare = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const atStart = !isPlain && selectionStart === 0 && selectionEnd === 0 && isBare;
    const atEnd = !isPlain && selectionStart === draft.input.length && selectionEnd === draft.input.length && isBare;
    const last = view.left.at(-1);
    const next = view.right[0];
    const act = (work: () => void): void => {
      event.preventDefault();
      work();
    };
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        act(() => {
          if (!isOpen) setOpen(true);
          else if (options.length > 0) setActive(stepped(active, event.key === 'ArrowDown' ? 1 : -1, options.length));
        });
        break;
      case 'Enter':
        act(() => (activeOption ? choose(activeOption) : run(settled(draft))));
        break;
      case 'Escape':
        act(() => {
          if (isOpen) setOpen(false);
          else {
            setDraft(whole(value));
            setRefused(false);
            event.currentTarget.blur();
          }
        });
        break;
      case 'Backspace':
        if (atStart && last) act(() => change(drafts.opened(draft, last, dataSet)));
        break;
      case 'Delete':
        if (atEnd && next) act(() => change(drafts.opened(draft, next, dataSet), 0));
        break;
      case 'ArrowLeft':
        if (atStart && last) act(() => change(drafts.movedLeft(draft, dataSet), 0));
        break;
      case 'ArrowRight':
        if (atEnd && next) act(() => change(drafts.movedRight(draft, dataSet), 0));
        break;
      case 'Home':
        if (atStart && last) act(() => change(drafts.movedTo(draft, 'start', dataSet), 0));
        break;
      case 'End':
        if (atEnd && next) act(() => change(drafts.movedTo(draft, 'end', dataSet), 0));
        break;
      case 'F2':
        act(togglePlain);
        break;
      default:
    }
  };

  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (view.query === '' && onPastedWhole?.(pasted)) event.preventDefault();
  };

  const refused = refusedBy(error, sentBefore);
  const isAsAsked = view.query.trim() === value.trim();
  const problems: readonly ShownProblem[] =
    view.problems.length > 0
      ? // What is being written is not wrong yet.
        view.problems.filter(
          ({ end }) => isRefused || isAsAsked || end <= view.inputPlace.start || draft.input.trim() === '',
        )
      : isAsAsked
        ? refused
        : [];
  const accept = ({ start, end }: ShownProblem, suggestion: string): void => {
    const next = whole(`${view.query.slice(0, start)}${suggestion}${view.query.slice(end)}`);
    if (drafts.viewOf(next, dataSet).problems.length === 0) run(next);
    else change(next);
  };
  const chips = (tokens: typeof view.left) =>
    tokens.map((token) => (
      <Chip
        key={token.start}
        token={token}
        problems={problems}
        onOpen={() => {
          change(drafts.opened(draft, token, dataSet));
          setOpen(true);
        }}
        onRemove={() => run(drafts.removed(draft, token, dataSet))}
      />
    ));

  return (
    <search className={styles.search}>
      <form
        className={styles.box}
        data-invalid={problems.length > 0 || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          run(settled(draft));
        }}
      >
        <Search size={14} aria-hidden="true" className={styles.glass} />
        <label className={styles.row}>
          {chips(view.left)}
          <span className={styles.field} data-growing={view.right.length === 0 || undefined}>
            <span className={styles.mirror} aria-hidden="true">
              {view.tokens
                .filter(({ start }) => start >= view.inputPlace.start && start < view.inputPlace.end)
                .map((token, index, all) => (
                  <span key={token.start}>
                    {view.query.slice(index === 0 ? view.inputPlace.start : all[index - 1]?.end, token.start)}
                    <Marked token={token} problems={problems} />
                  </span>
                ))}
            </span>
            <input
              ref={input}
              role="combobox"
              value={draft.input}
              size={Math.max(2, draft.input.length + 1)}
              onChange={(event) => {
                const text = event.target.value;
                const next = isPlain ? { ...draft, input: text } : drafts.typed(draft, text, dataSet);
                if (next.input !== text) wantedCaret.current = next.input.length;
                setDraft(next);
                setCaret(event.target.selectionStart ?? text.length);
                setActive(-1);
                setRefused(false);
                setOpen(true);
              }}
              onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
              onClick={() => setOpen(true)}
              onBlur={() => setOpen(false)}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
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
              aria-activedescendant={activeOption && optionId(listId, active)}
              aria-invalid={problems.length > 0 || undefined}
              aria-describedby={problems.length > 0 ? problemsId : undefined}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              enterKeyHint="search"
            />
          </span>
          {chips(view.right)}
        </label>
        <span className={styles.tools}>
          {view.query ? (
            <IconButton size="small" label="Clear search" icon={<X size={14} />} onClick={() => run(whole(''))} />
          ) : (
            <span className={styles.key}>
              <Kbd keys="s" />
            </span>
          )}
          <IconButton
            size="small"
            label={isPlain ? 'Edit as chips' : 'Edit as text'}
            tip={isPlain ? 'Edit as chips  F2' : 'Edit as text  F2'}
            aria-pressed={isPlain}
            icon={<TextCursorInput size={14} />}
            onClick={togglePlain}
          />
          <Suspense fallback={<span className={styles.helpSpace} />}>
            <SearchHelp dataSet={dataSet} />
          </Suspense>
        </span>
        {isOpen && (
          <CompletionList
            id={listId}
            options={options}
            active={active}
            loading={loading}
            emptyText={emptyText(completion.kind, completion.prefix)}
            onChoose={choose}
          />
        )}
      </form>
      <output className="visually-hidden">{place(view, isPlain)}</output>
      {problems.length > 0 && <Problems id={problemsId} problems={problems} onAccept={accept} />}
    </search>
  );
}

/** From -1, which is the input itself, through the list and around. */
const stepped = (at: number, step: 1 | -1, length: number): number => ((at + step + 1 + length + 1) % (length + 1)) - 1;

/** What the server said about the query, with places in the text of the box. */
function refusedBy(error: unknown, sentBefore: number): readonly ShownProblem[] {
  if (!(error instanceof ApiError) || error.code !== 'QUERY_INVALID') return [];
  if (error.problems.length === 0) return [{ message: error.message, start: 0, end: 0 }];
  return error.problems.map(({ message, start, end }) => ({
    message,
    start: Math.max(0, start - sentBefore),
    end: Math.max(0, end - sentBefore),
  }));
}

const emptyText = (kind: string, prefix: string): string =>
  kind === 'key' && prefix
    ? `No field is called like this. Enter searches for the text “${prefix}”.`
    : 'Nothing in the data; anything can be typed.';

/** For those who hear where the caret is between the chips. */
function place({ left, right }: drafts.DraftView, isPlain: boolean): string {
  if (isPlain || right.length === 0) return '';
  const before = left.at(-1);
  return before ? `After ${before.text}, before ${right[0]?.text}` : `Before ${right[0]?.text}`;
}
