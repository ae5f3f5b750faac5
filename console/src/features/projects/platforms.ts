/** Frameworks that the setup knows; `id` is stored as the project's platform. */
import * as m from '../../messages/platforms.ts';

export type PlatformId = keyof typeof m.names;

export const platforms: readonly { readonly id: PlatformId; readonly name: string }[] = (
  ['javascript-nextjs', 'javascript-react', 'javascript', 'node-express', 'node', 'opentelemetry', 'other'] as const
).map((id) => ({ id, name: m.names[id] }));

/** The one that most projects begin with. */
export const usualPlatform: PlatformId = 'javascript-nextjs';

export function platformName(id: string | null): string {
  return platforms.find((platform) => platform.id === id)?.name ?? id ?? '';
}
