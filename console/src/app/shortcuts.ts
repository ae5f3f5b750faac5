/** Every key of the console, once: keys, palette, tips and help are made from this table; the words stand in labels.ts. */
import { tinykeys } from 'tinykeys';
import { registerShortcuts, runCommand, type CommandId, type ShortcutTable } from '../features/commands/commands.ts';
import { singleKeysOn } from '../features/commands/single-keys.ts';

export const shortcuts: ShortcutTable = {
  palette: ['$mod+k'],
  find: ['/', 'Shift+/'],
  help: ['?', 'Shift+?'],
  undo: ['u', '$mod+z'],
  theme: [],
  'time-range': ['t'],
  'go.find': ['g f'],
  'go.now': ['g n'],
  'go.issues': ['g i'],
  'go.traces': ['g t'],
  'go.performance': ['g v'],
  'go.explore': ['g x'],
  'go.vitals': [],
  'go.releases': ['g r'],
  'go.alerts': ['g a'],
  'go.feedback': ['g b'],
  'go.projects': ['g p'],
  'go.health': ['g h'],
  'go.settings': ['g s'],
  'list.search': ['s'],
  'list.next': ['j'],
  'list.previous': ['k'],
  'list.open': ['Enter', 'o'],
  'list.peek': ['Space'],
  'list.select': ['x'],
  'list.select-range': ['Shift+X'],
  'list.select-down': ['Shift+J'],
  'list.select-up': ['Shift+K'],
  'list.select-page': [],
  'list.select-all': [],
  'list.clear': ['Escape'],
  'list.refresh': ['.'],
  'list.merge': ['Shift+M'],
  'alerts.new': ['n'],
  'issue.resolve': ['e'],
  'issue.resolve-how': ['Shift+E'],
  'issue.resolve-next': [],
  'issue.resolve-release': [],
  'issue.archive': ['m'],
  'issue.archive-how': ['z'],
  'issue.archive-day': [],
  'issue.archive-forever': [],
  'issue.reopen': [],
  'issue.review': ['v'],
  'issue.assign': ['a'],
  'issue.assign-me': ['Shift+A'],
  'issue.unassign': [],
  'issue.priority': ['p'],
  'issue.priority-high': [],
  'issue.priority-medium': [],
  'issue.priority-low': [],
  'issue.bookmark': ['b'],
  'issue.subscribe': ['w'],
  'issue.comment': ['r'],
  'issue.share': [],
  'issue.older': ['['],
  'issue.newer': [']'],
  'issue.next-frame': ['f'],
  'issue.copy-link': ['c'],
  'issue.copy-markdown': ['Shift+C'],
  'issue.back': ['Escape'],
  'issue.delete': [],
  'issue.discard': [],
  'trace.search': ['q'],
  'trace.next': ['n'],
  'trace.previous': ['Shift+N'],
  'trace.zoom-in': ['w'],
  'trace.zoom-out': ['s'],
  'trace.pan-left': ['a'],
  'trace.pan-right': ['d'],
  'trace.critical-path': ['p'],
  'trace.focus': ['f'],
  'trace.copy-link': ['c'],
  'trace.back': ['Escape'],
};

/** How long after its first key a sequence may go on: tinykeys' own. */
const sequenceMs = 1000;

/** Listens for the keys of the table. Single letters never fire while writing, in a dialog, or when switched off. */
export function startShortcuts(): void {
  registerShortcuts(shortcuts);
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  const follows = createSequenceWatch(Object.values(shortcuts).flat());
  const wasBoxOpen = createBoxWatch();
  const all = (Object.keys(shortcuts) as CommandId[]).flatMap((command) =>
    shortcuts[command].map((key) => ({ key, command })),
  );
  for (const [key, commands] of Map.groupBy(all, (each) => each.key)) {
    // Enter is what links and buttons do by themselves.
    if (key === 'Enter') continue;
    const isSingle = !key.startsWith('$mod') && key !== 'Escape';
    bindings[key] = (event) => {
      const isBoxOpen = wasBoxOpen();
      if (
        key !== '$mod+k' &&
        (isBoxOpen ||
          (isSingle && !singleKeysOn()) ||
          isWriting(event) ||
          (key === 'Space' && isPressed(event)) ||
          (!key.includes(' ') && follows(event)))
      )
        return;
      // Pages may use the same key; only one of them is there.
      if (!commands.some(({ command }) => runCommand(command))) return;
      event.preventDefault();
    };
  }
  tinykeys(window, bindings);
}

/** Whether a box was open when the key went down: by now it may have closed itself over it. */
function createBoxWatch(): () => boolean {
  let open = false;
  addEventListener(
    'keydown',
    () => {
      open = document.querySelector('dialog:popover-open, [role="dialog"]') !== null;
    },
    true,
  );
  return () => open;
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

/** What Space does by itself: to press, to tick, to unfold. */
const isPressed = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('button, input, summary');

function isWriting(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  const target = event.target;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
  );
}
