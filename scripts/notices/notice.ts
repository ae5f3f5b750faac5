/** `NOTICE`: what is said of Culprit itself, then each licence text with the packages that it is of. */
import { refOf, type Shipped } from './shipped.ts';

const rule = '-'.repeat(80);
const marker = `${rule}\n\nPackages that a release includes`;

export function noticeOf(current: string, shipped: readonly Shipped[]): string {
  const own = current.split(marker, 1)[0]?.trimEnd() ?? '';
  const byText = new Map<string, string[]>();
  for (const one of shipped) for (const text of one.texts) byText.set(text, [...(byText.get(text) ?? []), refOf(one)]);
  const list = shipped.map((one) => `  ${refOf(one)}: ${one.license}`);
  const texts = [...byText].map(([text, refs]) => `${rule}\n\n${refs.join(', ')}\n\n${text}`);
  return `${[own, `${marker}, and the licences that they are under:\n\n${list.join('\n')}`, ...texts].join('\n\n')}\n`;
}
