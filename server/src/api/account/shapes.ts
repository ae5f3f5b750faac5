/** A session as its owner recognises it. */
import type { z } from 'zod';
import type { OpenSession } from '../../domains/accounts/index.ts';
import { parseUserAgent } from '../../process/steps/user-agent/parse.ts';
import { iso } from '../shared/read.ts';
import type { listSessions } from './contract.ts';

export function toSession(session: OpenSession, currentId: string): z.output<typeof listSessions.response>[number] {
  const { id, address, userAgent, createdAt, lastUsedAt } = session;
  return {
    id,
    device: deviceOf(userAgent),
    address,
    dateCreated: iso(createdAt),
    lastUsed: iso(lastUsedAt),
    isCurrent: id === currentId,
  };
}

/** "Firefox 140, Mac OS X"; '' for what is no browser that is known. */
function deviceOf(userAgent: string): string {
  const { browser, os, device } = parseUserAgent(userAgent);
  const named = browser && `${browser.name} ${browser.version.split('.', 1)[0] ?? ''}`.trim();
  return [named, os?.name, device?.model === os?.name ? undefined : device?.model].filter(Boolean).join(', ');
}
