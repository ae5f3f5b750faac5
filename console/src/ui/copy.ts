import * as m from '../messages/ui.ts';
import { toast } from './toasts.ts';

/** Puts text on the clipboard; where the browser offers none (plain http on another host) it falls back to a selection. */
export async function copyText(text: string, what = m.copied): Promise<boolean> {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else if (!copyBySelection(text)) throw new Error('the browser refused');
    toast(what);
    return true;
  } catch {
    toast(m.notCopied, { kind: 'failed' });
    return false;
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  try {
    // Deprecated, and the only way outside secure contexts.
    return document.execCommand('copy');
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
