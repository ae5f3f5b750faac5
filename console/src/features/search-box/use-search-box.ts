import { completionsAt, type DataSet } from '@culprit/search';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import type { CompletionKeys } from '../../ui/completion.ts';
import { useOrg } from '../session/organization.ts';
import * as drafts from './draft.ts';
import type { Option } from './option.ts';
import type * as completions from './options.ts';
import type { ShownProblem } from './Problems.tsx';
import { fieldsQuery, noteRecentSearch } from './queries.ts';
import { unknownNames } from './unknown-names.ts';
import { useSources } from './use-sources.ts';

export interface SearchBoxQuestion {
  /** The query that is shown; what is typed is asked on Enter. */
  readonly value: string;
  readonly dataSet: DataSet;
  /** Of the request for `value`: a refused query is marked where it is wrong. */
  readonly error: unknown;
  /** How much of the query that was sent stands before `value`. */
  readonly sentBefore?: number | undefined;
  readonly onSearch: (query: string) => void;
  /** Ids of the projects whose data is completed from; left out, those of the page. */
  readonly projectIds?: readonly string[] | undefined;
}

let loaded: typeof completions | undefined;

/** The list of what can be completed comes when the box is used for the first time. */
function useCompletions(isUsed: boolean): typeof completions | undefined {
  const [options, setOptions] = useState(loaded);
  useEffect(() => {
    if (!isUsed) return;
    const load = async (): Promise<void> => {
      loaded ??= await import('./options.ts');
      setOptions(loaded);
    };
    load().catch(() => undefined);
  }, [isUsed]);
  return options;
}

/** What is being written, what is wrong with it, what may come next, and what keys and clicks do to it. */
export function useSearchBox(question: SearchBoxQuestion, input: RefObject<HTMLInputElement | null>) {
  const { value, dataSet, error, sentBefore = 0, onSearch, projectIds } = question;
  const org = useOrg();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => drafts.draftOf(value));
  const [isPlain, setPlain] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const [activeId, setActive] = useState<string>();
  const list = useRef<CompletionKeys>(null);
  const [caret, setCaret] = useState(0);
  const [isRefused, setRefused] = useState(false);
  const wantedCaret = useRef<number | undefined>(undefined);
  const view = drafts.viewOf(draft, dataSet);

  // The address changed by other means, such as a link: the box follows.
  const [shownValue, setShownValue] = useState(value);
  if (shownValue !== value) {
    setShownValue(value);
    if (view.query.trim() !== value.trim()) setDraft(isPlain ? drafts.plainDraft(value) : drafts.draftOf(value));
    setRefused(false);
  }
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
  const { sources, lookup } = useSources({ dataSet, projectIds, completion, enabled: isOpen });
  const completing = useCompletions(isUsed);
  const options = isOpen && completing ? completing.optionsFor(completion, view.query, dataSet, sources) : [];
  const activeOption = options.find(({ id }) => id === activeId);

  const whole = (query: string): drafts.Draft => (isPlain ? drafts.plainDraft(query) : drafts.draftOf(query));
  const settled = (next: drafts.Draft): drafts.Draft => (isPlain ? next : drafts.committed(next));
  const change = (next: drafts.Draft, at = next.input.length): void => {
    wantedCaret.current = at;
    setDraft(next);
    setCaret(at);
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
  /** Asks when nothing is wrong any more. */
  const runWhenRight = (next: drafts.Draft): void => {
    if (drafts.viewOf(next, dataSet).problems.length === 0) run(next);
    else change(next);
  };
  const choose = (option: Option): void => {
    if (option.gives === 'query') {
      run(whole(option.text));
      return;
    }
    const next = drafts.replaced(draft, completion.replace, option.text, dataSet);
    const from = Math.min(view.inputPlace.start, completion.replace.start);
    const { problems, inputPlace } = drafts.viewOf(next, dataSet);
    const isWhole = !problems.some(({ end }) => end > inputPlace.start);
    if (option.gives === 'term' && isWhole) runWhenRight(settled(next));
    else change(next, completion.replace.start - from + option.text.length);
  };
  const togglePlain = (): void => {
    const query = view.query.trim();
    setPlain(!isPlain);
    setOpen(false);
    change(isPlain ? drafts.draftOf(query) : drafts.plainDraft(query));
  };
  const type = (text: string, at: number): void => {
    const next = isPlain ? { ...draft, input: text } : drafts.typed(draft, text, dataSet);
    if (next.input !== text) wantedCaret.current = next.input.length;
    setDraft(next);
    setCaret(at);
    setRefused(false);
    setOpen(true);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const act = (work: () => void): void => {
      event.preventDefault();
      work();
    };
    if (event.key === ' ' && event.ctrlKey) {
      act(() => setOpen(true));
      return;
    }
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        act(() => (isOpen ? list.current?.onKeyDown(event) : setOpen(true)));
        return;
      case 'Enter':
        act(() => (activeOption ? choose(activeOption) : run(settled(draft))));
        return;
      case 'Tab':
        if (activeOption && !event.shiftKey) act(() => choose(activeOption));
        return;
      case 'Escape':
        act(() => {
          if (isOpen) setOpen(false);
          else {
            setDraft(whole(value));
            setRefused(false);
            event.currentTarget.blur();
          }
        });
        return;
      case 'F2':
        act(togglePlain);
        return;
      default:
    }
    const next = isPlain ? undefined : afterEdge(event, draft, view, dataSet);
    if (next) act(() => change(next.draft, next.caret));
  };

  const isAsAsked = view.query.trim() === value.trim();
  // What is being written is not wrong yet.
  const isSettled = isRefused || isAsAsked || draft.input.trim() === '';
  const own = view.problems.filter(({ end }) => isSettled || end <= view.inputPlace.start);
  const problems: readonly ShownProblem[] =
    view.problems.length > 0 ? own : isAsAsked ? refusedBy(error, sentBefore) : [];
  const unknown = isAsAsked && problems.length === 0 ? unknownNames(view.tokens, dataSet) : [];
  const filters = useSearch({ from: '/shell' });
  const fields = useQuery({ ...fieldsQuery({ org, dataSet, projectIds, filters }), enabled: unknown.length > 0 });
  // A tag that the data has is meant as it is written.
  const hints = fields.data ? unknown.filter(({ name }) => !fields.data.some(({ key }) => key === name)) : [];

  return {
    /** The box is used from now on. */
    begin: () => setUsed(true),
    draft,
    view,
    problems,
    hints,
    isPlain,
    isOpen,
    activeOption,
    options,
    list,
    lookup: completing ? lookup : { ...lookup, loading: true },
    completion,
    isAsAsked,
    setOpen,
    setActive,
    setCaret,
    type,
    onKeyDown,
    choose,
    togglePlain,
    submit: (): void => run(settled(draft)),
    clear: (): void => run(whole('')),
    openToken: (token: drafts.DraftView['tokens'][number]): void => {
      change(drafts.opened(draft, token, dataSet));
      setOpen(true);
    },
    removeToken: (token: drafts.DraftView['tokens'][number]): void => run(drafts.removed(draft, token, dataSet)),
    accept: ({ start, end }: ShownProblem, suggestion: string): void =>
      runWhenRight(whole(`${view.query.slice(0, start)}${suggestion}${view.query.slice(end)}`)),
  };
}

/** What a key does at the edge of the input, where a token stands beside it. Undefined: what it does in any input. */
function afterEdge(
  event: KeyboardEvent<HTMLInputElement>,
  draft: drafts.Draft,
  { left, right }: drafts.DraftView,
  dataSet: DataSet,
): { readonly draft: drafts.Draft; readonly caret: number } | undefined {
  const { selectionStart, selectionEnd } = event.currentTarget;
  if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || selectionStart !== selectionEnd)
    return undefined;
  const before = selectionStart === 0 ? left.at(-1) : undefined;
  const after = selectionStart === draft.input.length ? right[0] : undefined;
  switch (event.key) {
    case 'Backspace': {
      const opened = before && drafts.opened(draft, before, dataSet);
      return opened && { draft: opened, caret: opened.input.length };
    }
    case 'Delete':
      return after && { draft: drafts.opened(draft, after, dataSet), caret: 0 };
    case 'ArrowLeft':
      return before && { draft: drafts.movedLeft(draft, dataSet), caret: 0 };
    case 'ArrowRight':
      return after && { draft: drafts.movedRight(draft, dataSet), caret: 0 };
    case 'Home':
      return before && { draft: drafts.movedTo(draft, 'start', dataSet), caret: 0 };
    case 'End':
      return after && { draft: drafts.movedTo(draft, 'end', dataSet), caret: 0 };
    default:
      return undefined;
  }
}

/** What the server said about the query, with places in the text of the box. */
function refusedBy(error: unknown, sentBefore: number): readonly ShownProblem[] {
  if (!(error instanceof ApiError) || error.code !== 'QUERY_INVALID') return [];
  if (error.problems.length === 0) return [{ message: error.message, start: 0, end: 0 }];
  return error.problems.map((problem) => ({
    ...problem,
    start: Math.max(0, problem.start - sentBefore),
    end: Math.max(0, problem.end - sentBefore),
  }));
}
