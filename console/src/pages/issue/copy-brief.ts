/** The issue as one document, to paste into a chat, a ticket or a coding agent. */
import { briefText } from '../../features/issues/brief.ts';
import * as m from '../../messages/brief.ts';
import { copyText } from '../../ui/copy.ts';
import { toast } from '../../ui/toasts.ts';

export async function copyBrief(org: string, issue: string, event: string): Promise<void> {
  const text = briefText(org, issue, event);
  try {
    // Safari takes only what the key or the click itself began.
    if ('ClipboardItem' in globalThis && navigator.clipboard) {
      const blob = text.then((each) => new Blob([each], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      toast(m.copied);
    } else await copyText(await text, m.copied);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { kind: 'failed' });
  }
}
