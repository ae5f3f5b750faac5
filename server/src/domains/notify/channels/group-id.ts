import { createHash } from 'node:crypto';

/** The matter that a message is about, as services with a limit take it: what is too long becomes its hash. */
export const groupIdOf = (groupKey: string, most: number): string => {
  const id = `culprit:${groupKey}`;
  return id.length <= most ? id : `culprit:${createHash('sha256').update(groupKey).digest('hex')}`;
};
