/** Listens for the keys of `features/commands/shortcuts.ts`. */
import { tinykeys } from 'tinykeys';
import { runCommand } from '../features/commands/commands.ts';
import { type CommandId, shortcuts } from '../features/commands/shortcuts.ts';
import { singleKeysOn } from '../features/commands/single-keys.ts';
import { isWriting } from './first-keys.ts';

/** How long after its first key a sequence may go on: tinykeys' own. */
const sequenceMs = 1000;

/** Single letters never fire while writing, in a dialog, or when switched off. */
export function listenForShortcuts(): void {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  const follows = createSequenceWatch(Object.values(shortcuts).flatMap((keys) => keys ?? []));
  const wasBoxOpen = createBoxWatch();
  const all = (Object.keys(shortcuts) as CommandId[]).flatMap((command) =>
    (shortcuts[command] ?? []).map((key) => ({ key, command })),
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
      open = document.querySelector('[role="dialog"], [role="menu"]') !== null;
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
