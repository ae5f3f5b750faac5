import { useNavigate } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { askable, namesFailure } from '../../features/find/pasted.ts';
import { freshSearch } from '../../features/find/places.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import styles from './SearchBox.module.css';

/**
 * Free text and `field:value`; asks on Enter. A query that makes no sense keeps its text and says what is wrong where. The
 * text of an error page is no search, and goes to Find.
 */
export function SearchBox({
  value,
  error,
  onSearch,
}: {
  readonly value: string;
  readonly error: unknown;
  readonly onSearch: (query: string) => void;
}) {
  const navigate = useNavigate();
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The address changed by other means, such as a link: the box follows.
  const [shownValue, setShownValue] = useState(value);
  if (shownValue !== value) {
    setShownValue(value);
    setText(value);
  }
  useEffect(() => {
    if (location.hash === '#search') input.current?.focus();
  }, []);
  useCommand('list.search', () => {
    input.current?.focus();
    input.current?.select();
  });
  const problems =
    error instanceof ApiError && error.code === 'QUERY_INVALID'
      ? error.problems.length > 0
        ? error.problems.map((problem) => problem.message)
        : [error.message]
      : [];

  return (
    <search className={styles.search}>
      <form
        className={styles.box}
        data-invalid={problems.length > 0 || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Search size={14} aria-hidden="true" />
        <input
          ref={input}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            if (text !== '' || !namesFailure(pasted)) return;
            event.preventDefault();
            void navigate({ to: '/find', search: freshSearch(askable(pasted)) });
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setText(value);
            event.currentTarget.blur();
          }}
          className={styles.input}
          placeholder="Search: words, level:error, release:4f2c1, user.email:ada@…"
          aria-label="Search issues"
          aria-invalid={problems.length > 0 || undefined}
          aria-describedby={problems.length > 0 ? 'search-problems' : undefined}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          enterKeyHint="search"
        />
        {text ? (
          <IconButton
            size="small"
            label="Clear search"
            icon={<X size={14} />}
            onClick={() => {
              setText('');
              onSearch('');
            }}
          />
        ) : (
          <span className={styles.key}>
            <Kbd keys="s" />
          </span>
        )}
      </form>
      {problems.length > 0 && (
        <p id="search-problems" role="alert" className={styles.problems}>
          {problems.join(' ')}
        </p>
      )}
    </search>
  );
}
