import { type AllowList, readTarget } from '../../base/outbound/index.ts';

/** Also the tracker's own host and port, wherever they lead: whoever runs the command on this machine has said so. */
export function allowOnly(url: string, others: AllowList): AllowList {
  const target = readTarget(url);
  return {
    // The command names its server itself.
    allows: (host, address, port) =>
      (host === target.host && port === target.port) || others.allows(host, address, port),
  };
}
