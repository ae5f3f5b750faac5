/** What receiving needs. Nodes without that role have it too: what they report of themselves and import goes the same way. */
import { hash } from 'node:crypto';
import type { Config } from '../base/config.ts';
import { parseAllowList } from '../base/outbound/index.ts';
import { createMirrors } from '../domains/mirror/index.ts';
import { createKeyDirectory } from '../domains/projects/index.ts';
import type { Ground } from './ground.ts';
import type { Later } from './later.ts';

export type Intake = ReturnType<typeof openIntake>;

export function openIntake(
  config: Config,
  ground: Pick<Ground, 'state' | 'auditBox' | 'recordBox' | 'keyFingerprint' | 'failures' | 'internal' | 'live'>,
  later: Later,
) {
  const { state, auditBox, recordBox, keyFingerprint, failures, internal, live } = ground;
  const keys = createKeyDirectory({ state });
  live.subscribe(({ type }) => {
    if (type !== 'settings' && type !== 'missed') return;
    keys.invalidate();
    internal.invalidate();
  });
  return {
    keys,
    mirrors: createMirrors({
      state,
      box: auditBox,
      recordBox,
      dataDir: config.dataDir,
      limitBytes: config.mirrorMaxBytes,
      // A copy has the key of the first one, and another address.
      getId: () => hash('sha256', `${keyFingerprint} ${later.url}`).slice(0, 16),
      allow: parseAllowList(config.outboundAllow),
      failures,
    }),
  };
}
