import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { withKey } from '../../features/commands/shortcuts.ts';
import * as m from '../../messages/trace.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import {
  CriticalPathIcon,
  FoldAllIcon,
  LogsIcon,
  NextMatchIcon,
  PreviousMatchIcon,
  RemoveIcon,
  ShowAllIcon,
  UnfoldAllIcon,
} from '../../ui/icons.ts';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';

export const searchBoxId = 'trace-search';
const addressAfterMs = 250;
const levels = [1, 2, 3, 4, 5, 6];

interface SearchProps {
  readonly query: string;
  /** Spans that match; undefined while nothing is searched for. */
  readonly found: number | undefined;
  /** Which of them the reader stands at, from 1; 0 for none. */
  readonly at: number;
  readonly onQuery: (query: string) => void;
  readonly onStep: (backwards: boolean) => void;
}

/** Search in the trace, collapsing by level, the critical path. */
export function TraceTools({
  logs,
  showLogs,
  showCritical,
  zoomed,
  onTogglePath,
  onToggleLogs,
  onFoldBeyond,
  onShowAll,
  ...search
}: SearchProps & {
  /** How many there are. */
  readonly logs: number;
  readonly showLogs: boolean;
  readonly showCritical: boolean;
  readonly zoomed: boolean;
  readonly onTogglePath: () => void;
  readonly onToggleLogs: () => void;
  /** Collapses everything from a level on; Infinity expands all. */
  readonly onFoldBeyond: (level: number) => void;
  readonly onShowAll: () => void;
}) {
  return (
    <Toolbar>
      <SearchBox {...search} />
      <InlineSelect label={m.collapseByLevel} value="" onChange={(event) => onFoldBeyond(Number(event.target.value))}>
        <option value="" disabled>
          {m.levels}
        </option>
        {levels.map((level) => (
          <option key={level} value={level}>
            {m.levelCount({ count: level })}
          </option>
        ))}
        <option value="Infinity">{m.allLevels}</option>
      </InlineSelect>
      <IconButton size="small" label={m.collapseAll} icon={<FoldAllIcon size={14} />} onClick={() => onFoldBeyond(1)} />
      <IconButton
        size="small"
        label={m.expandAll}
        icon={<UnfoldAllIcon size={14} />}
        onClick={() => onFoldBeyond(Infinity)}
      />
      <Button
        size="small"
        icon={<CriticalPathIcon size={14} />}
        aria-pressed={showCritical}
        tip={withKey(m.criticalPathTip, 'trace.critical-path')}
        onClick={onTogglePath}
      >
        {m.criticalPath}
      </Button>
      {logs > 0 && (
        <Button size="small" icon={<LogsIcon size={14} />} aria-pressed={showLogs} onClick={onToggleLogs}>
          {m.logCount({ count: logs })}
        </Button>
      )}
      {zoomed && (
        <Button size="small" icon={<ShowAllIcon size={14} />} onClick={onShowAll}>
          {m.resetZoom}
        </Button>
      )}
    </Toolbar>
  );
}

/** Keeps what is written at once, and hands it on when the writer pauses. */
function SearchBox({ query, found, at, onQuery, onStep }: SearchProps) {
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
    <SearchInput
      id={searchBoxId}
      label={m.search}
      placeholder={m.searchHint}
      value={text}
      onChange={(event) => write(event.target.value)}
      onKeyDown={onKeyDown}
      end={
        found !== undefined && (
          <>
            <output>{at ? m.matchAt({ at, count: found }) : m.matches({ count: found })}</output>
            <IconButton
              size="small"
              label={withKey(m.previousMatch, 'trace.previous')}
              icon={<PreviousMatchIcon size={14} />}
              disabled={!found}
              onClick={() => onStep(true)}
            />
            <IconButton
              size="small"
              label={withKey(m.nextMatch, 'trace.next')}
              icon={<NextMatchIcon size={14} />}
              disabled={!found}
              onClick={() => onStep(false)}
            />
            <IconButton
              size="small"
              label={m.clearSearch}
              icon={<RemoveIcon size={14} />}
              onClick={() => onQuery('')}
            />
          </>
        )
      }
    />
  );
}
