/** The ways back from recent changes: by the button of the notice, by key or from the palette, the newest first. */
import * as m from '../../messages/commands.ts';
import { toast } from '../../ui/toasts.ts';
import { offerCommand } from './commands.ts';

/** More than a person goes back; what is older is still undone by its own button while that is there. */
const most = 50;
let ways: readonly (() => void)[] = [];
let withdraw: (() => void) | undefined;

/** Says what was done, and offers the way back. */
export function offerUndo(done: string, undo: () => void): void {
  toast(done, { action: { label: m.undo, run: addUndo(undo) } });
}

/** The same without a notice. The answer goes that way, once: by whichever button, key or command comes first. */
export function addUndo(undo: () => void): () => void {
  let used = false;
  const way = (): void => {
    if (used) return;
    used = true;
    ways = ways.filter((each) => each !== way);
    offer();
    undo();
  };
  ways = [...ways, way].slice(-most);
  offer();
  return way;
}

/** The command is there only while there is something to undo. */
function offer(): void {
  if (ways.length > 0) withdraw ??= offerCommand('undo', () => ways.at(-1)?.());
  else {
    withdraw?.();
    withdraw = undefined;
  }
}
