/** What a program may ask a person for. */
import { isScope, type Scope } from '../accounts/index.ts';

/** What who asks for nothing in particular is offered: to read, as an agent has to. */
export const usualScopes = [
  'org:read',
  'project:read',
  'member:read',
  'event:read',
] as const satisfies readonly Scope[];
/** What the MCP server can use. */
export const agentScopes = [...usualScopes, 'event:write'] as const satisfies readonly Scope[];

const longest = 2_000;

/** Scopes of Sentry that do not exist here are left out, as the answer with the token says. */
export function readScopes(text: string | undefined): Scope[] {
  const asked = [...new Set((text ?? '').slice(0, longest).split(/\s+/).filter(isScope))];
  return asked.length ? asked : [...usualScopes];
}
