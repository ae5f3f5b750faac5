import {
  CriticalPathIcon,
  FoldAllIcon,
  LogsIcon,
  NextMatchIcon,
  PreviousMatchIcon,
  RemoveIcon,
  SearchIcon,
  ShowAllIcon,
  UnfoldAllIcon,
} from '../../ui/icons.ts';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { withKey } from '../../features/commands/shortcuts.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { exactNumber, plural } from '../../ui/numbers.ts';
import styles from './TracePage.module.css';

export const searchBoxId = 'trace-search';
const addressAfterMs = 250;

/** Search in the trace, folding by level, the critical path. */
export function TraceTools({
  query,
  found,
  at,
  logs,
  showLogs,
  showCritical,
  zoomed,
  onQuery,
  onStep,
  onTogglePath,
  onToggleLogs,
  onFoldBeyond,
  onShowAll,
}: {
  readonly query: string;
  /** Spans that match; undefined while nothing is searched for. */
  readonly found: number | undefined;
  /** Which of them the reader stands at, from 1; 0 for none. */
  readonly at: number;
  /** How many there are. */
  readonly logs: number;
  readonly showLogs: boolean;
  readonly showCritical: boolean;
  readonly zoomed: boolean;
  readonly onQuery: (query: string) => void;
  readonly onStep: (backwards: boolean) => void;
  readonly onTogglePath: () => void;
  readonly onToggleLogs: () => void;
  /** Folds everything from a level on; Infinity unfolds all. */
  readonly onFoldBeyond: (level: number) => void;
  readonly onShowAll: () => void;
}) {
  return (
    <div className={styles.tools}>
      <search className={styles.search}>
        <SearchIcon size={14} aria-hidden="true" />
        <SearchInput query={query} onQuery={onQuery} onStep={onStep} />
        {found !== undefined && (
          <>
            <output className={styles.found}>
              {found === 0 ? 'none' : `${at ? `${exactNumber(at)} of ` : ''}${exactNumber(found)}`}
            </output>
            <IconButton
              size="small"
              label={withKey('Previous match', 'trace.previous')}
              icon={<PreviousMatchIcon size={14} />}
              disabled={!found}
              onClick={() => onStep(true)}
            />
            <IconButton
              size="small"
              label={withKey('Next match', 'trace.next')}
              icon={<NextMatchIcon size={14} />}
              disabled={!found}
              onClick={() => onStep(false)}
            />
            <IconButton
              size="small"
              label="Clear the search"
              icon={<RemoveIcon size={14} />}
              onClick={() => onQuery('')}
            />
          </>
        )}
      </search>
      <InlineSelect label="Fold by level" value="" onChange={(event) => onFoldBeyond(Number(event.target.value))}>
        <option value="" disabled>
          Levels
        </option>
        {[1, 2, 3, 4, 5, 6].map((level) => (
          <option key={level} value={level}>
            {level === 1 ? 'Outermost only' : plural(level, 'level')}
          </option>
        ))}
        <option value="Infinity">All levels</option>
      </InlineSelect>
      <IconButton size="small" label="Fold all" icon={<FoldAllIcon size={14} />} onClick={() => onFoldBeyond(1)} />
      <IconButton
        size="small"
        label="Unfold all"
        icon={<UnfoldAllIcon size={14} />}
        onClick={() => onFoldBeyond(Infinity)}
      />
      <Button
        size="small"
        icon={<CriticalPathIcon size={14} />}
        aria-pressed={showCritical}
        tip={withKey('What the whole waited for, drawn under the bars', 'trace.critical-path')}
        className={showCritical ? styles.pressed : undefined}
        onClick={onTogglePath}
      >
        Critical path
      </Button>
      {logs > 0 && (
        <Button
          size="small"
          icon={<LogsIcon size={14} />}
          aria-pressed={showLogs}
          className={showLogs ? styles.pressed : undefined}
          onClick={onToggleLogs}
        >
          {plural(logs, 'log')}
        </Button>
      )}
      {zoomed && (
        <Button size="small" icon={<ShowAllIcon size={14} />} onClick={onShowAll}>
          All of the time
        </Button>
      )}
    </div>
  );
}

/** Keeps what is written at once, and hands it on when the writer pauses. */
function SearchInput({
  query,
  onQuery,
  onStep,
}: {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onStep: (backwards: boolean) => void;
}) {
  const [text, setText] = useState(query);
  /** What this box asked for last; another query comes from elsewhere and is shown. */
  const sent = useRef(query);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  const send = (value: string): void => {
    clearTimeout(timer.current);
    sent.current = value;
    onQuery(value);
  };
  const write = (value: string): void => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(value), addressAfterMs);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      if (text === query) onStep(event.shiftKey);
      else send(text);
    } else if (event.key === 'Escape') {
      if (text === '') (event.target as HTMLInputElement).blur();
      else {
        setText('');
        send('');
      }
    } else return;
    event.preventDefault();
  };
  return (
    <input
      id={searchBoxId}
      value={text}
      onChange={(event) => write(event.target.value)}
      onKeyDown={onKeyDown}
      placeholder="Search spans: name, op:db, service:api"
      aria-label="Search spans"
      autoComplete="off"
      spellCheck={false}
    />
  );
}
