/** Every key of the console, once: keys, palette, tips and help are made from this table. */
import { tinykeys } from 'tinykeys';
import { registerShortcuts, runCommand, type Shortcut } from '../features/commands/commands.ts';
import { singleKeysOn } from '../features/commands/single-keys.ts';

export const shortcuts: readonly Shortcut[] = [
  { command: 'palette', keys: ['$mod+k'], label: 'Command palette', scope: 'Everywhere' },
  { command: 'find', keys: ['/', 'Shift+/'], label: 'Find anything', scope: 'Everywhere' },
  { command: 'help', keys: ['?', 'Shift+?'], label: 'Keyboard shortcuts', scope: 'Everywhere' },
  { command: 'time-range', keys: ['t'], label: 'Choose the time range', scope: 'Everywhere' },
  { command: 'go.find', keys: ['g f'], label: 'Go to Find', scope: 'Everywhere' },
  { command: 'go.issues', keys: ['g i'], label: 'Go to issues', scope: 'Everywhere' },
  { command: 'go.traces', keys: ['g t'], label: 'Go to traces', scope: 'Everywhere' },
  { command: 'go.performance', keys: ['g v'], label: 'Go to performance', scope: 'Everywhere' },
  { command: 'go.explore', keys: ['g x'], label: 'Go to Explore', scope: 'Everywhere' },
  { command: 'go.vitals', keys: [], label: 'Go to web vitals', scope: 'Everywhere' },
  { command: 'go.releases', keys: ['g r'], label: 'Go to releases', scope: 'Everywhere' },
  { command: 'go.projects', keys: ['g p'], label: 'Go to projects', scope: 'Everywhere' },
  { command: 'go.health', keys: ['g h'], label: 'Go to health', scope: 'Everywhere' },
  { command: 'go.settings', keys: ['g s'], label: 'Go to settings', scope: 'Everywhere' },
  { command: 'theme', keys: [], label: 'Switch theme', scope: 'Everywhere' },
  { command: 'list.search', keys: ['s'], label: 'Search the list', scope: 'Lists' },
  { command: 'list.next', keys: ['j'], label: 'Next row', scope: 'Lists' },
  { command: 'list.previous', keys: ['k'], label: 'Previous row', scope: 'Lists' },
  { command: 'list.open', keys: ['Enter', 'o'], label: 'Open the row', scope: 'Lists' },
  { command: 'list.select', keys: ['x'], label: 'Select the row', scope: 'Lists' },
  { command: 'list.refresh', keys: ['.'], label: 'Show what is new', scope: 'Lists' },
  { command: 'issue.merge', keys: ['Shift+M'], label: 'Merge the selected issues', scope: 'Lists' },
  { command: 'issue.resolve', keys: ['e'], label: 'Resolve, or reopen', scope: 'Issue' },
  { command: 'issue.archive', keys: ['m'], label: 'Archive, or reopen', scope: 'Issue' },
  { command: 'issue.older', keys: ['['], label: 'Older event', scope: 'Issue' },
  { command: 'issue.newer', keys: [']'], label: 'Newer event', scope: 'Issue' },
  { command: 'issue.next-frame', keys: ['f'], label: 'Next in-app frame', scope: 'Issue' },
  { command: 'issue.copy-link', keys: ['c'], label: 'Copy link to this event', scope: 'Issue' },
  { command: 'issue.copy-markdown', keys: ['Shift+C'], label: 'Copy as Markdown', scope: 'Issue' },
  { command: 'trace.search', keys: ['q'], label: 'Search spans', scope: 'Trace' },
  { command: 'trace.next', keys: ['n'], label: 'Next match, else next error', scope: 'Trace' },
  { command: 'trace.previous', keys: ['Shift+N'], label: 'Match or error before', scope: 'Trace' },
  { command: 'trace.zoom-in', keys: ['w'], label: 'Zoom into the time', scope: 'Trace' },
  { command: 'trace.zoom-out', keys: ['s'], label: 'Zoom out', scope: 'Trace' },
  { command: 'trace.pan-left', keys: ['a'], label: 'Earlier', scope: 'Trace' },
  { command: 'trace.pan-right', keys: ['d'], label: 'Later', scope: 'Trace' },
  { command: 'trace.critical-path', keys: ['p'], label: 'Critical path on or off', scope: 'Trace' },
  { command: 'trace.focus', keys: ['f'], label: 'Only this subtree, or all', scope: 'Trace' },
  { command: 'trace.copy-link', keys: ['c'], label: 'Copy link to this view', scope: 'Trace' },
  { command: 'trace.back', keys: ['Escape'], label: 'Back: details, subtree, search, zoom', scope: 'Trace' },
];

/** How long after its first key a sequence may go on: tinykeys' own. */
const sequenceMs = 1000;

/** Listens for the keys of the table. Single letters never fire while writing, in a dialog, or when switched off. */
export function startShortcuts(): void {
  registerShortcuts(shortcuts);
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  const follows = createSequenceWatch(shortcuts.flatMap(({ keys }) => keys));
  const all = shortcuts.flatMap(({ command, keys }) => keys.map((key) => ({ key, command })));
  for (const [key, commands] of Map.groupBy(all, (each) => each.key)) {
    // Enter is what links and buttons do by themselves.
    if (key === 'Enter') continue;
    const always = key.startsWith('$mod');
    bindings[key] = (event) => {
      if (
        !always &&
        (!(singleKeysOn() || key === 'Escape') ||
          isWriting(event) ||
          (!key.includes(' ') && follows(event)) ||
          document.querySelector('dialog:popover-open, [role="dialog"]'))
      )
        return;
      // Pages may use the same key; only one of them is there.
      if (commands.some(({ command }) => runCommand(command))) event.preventDefault();
    };
  }
  tinykeys(window, bindings);
}

/** `t` alone is a key and the end of `g t`: whether this press ends a longer one, which then has it for itself. */
function createSequenceWatch(keys: readonly string[]): (event: KeyboardEvent) => boolean {
  const sequences = new Set(keys.filter((key) => key.includes(' ')));
  const none = { key: '', at: 0 };
  let [before, latest] = [none, none];
  addEventListener(
    'keydown',
    ({ key, timeStamp }) => {
      before = latest;
      latest = { key, at: timeStamp };
    },
    true,
  );
  return ({ key, timeStamp }) => timeStamp - before.at < sequenceMs && sequences.has(`${before.key} ${key}`);
}

function isWriting(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  const target = event.target;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
  );
}
