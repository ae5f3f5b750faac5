import * as m from '../messages/ui.ts';
import { cx } from './cx.ts';
import styles from './Level.module.css';

export const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
export type LevelName = (typeof levels)[number];

/** The level as the console shows it; `log` and `sample` of old clients, and anything unknown, count as their nearest. */
export function levelOf(text: string | null | undefined): LevelName {
  if (text === 'log') return 'info';
  if (text === 'critical') return 'fatal';
  if (text === 'warn') return 'warning';
  if (text === 'trace') return 'debug';
  return levels.find((level) => level === text) ?? 'error';
}

/** Shape and colour of a level: ■ fatal ● error ▲ warning ◆ info ○ debug. The word is said, and shown with `word`. */
export function Level({ level, word = false }: { readonly level: string | null | undefined; readonly word?: boolean }) {
  const name = levelOf(level);
  // Only logs have it, and it looks as debug does.
  const said = m.levels[level === 'trace' ? level : name];
  return (
    <span className={cx(styles.level, styles[name])} data-tip={word ? undefined : said}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {name === 'fatal' && <rect x="1" y="1" width="8" height="8" rx="1" fill="currentColor" />}
        {name === 'error' && <circle cx="5" cy="5" r="4.2" fill="currentColor" />}
        {name === 'warning' && <path d="M5 .8 9.6 9H.4Z" fill="currentColor" />}
        {name === 'info' && <path d="M5 .2 9.8 5 5 9.8.2 5Z" fill="currentColor" />}
        {name === 'debug' && <circle cx="5" cy="5" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.5" />}
      </svg>
      <span className={word ? styles.word : 'visually-hidden'}>{said}</span>
    </span>
  );
}
