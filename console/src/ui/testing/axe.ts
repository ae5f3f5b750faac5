/** Axe at WCAG 2.2 A and AA over what a test shows. */
import axe from 'axe-core';

/** What Base UI keeps the focus within a popup by: it passes the focus on at once. */
const guards = '[data-base-ui-focus-guard]';

/** What it minds, by rule with the places. */
export async function violations(): Promise<string[]> {
  const { violations: found } = await axe.run(
    { include: 'body', exclude: guards },
    {
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
      resultTypes: ['violations'],
    },
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
