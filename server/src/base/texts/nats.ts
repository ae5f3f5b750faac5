/** What is said of NATS: its address, and why it does not do what the log needs. */

const example = 'nats://user:password@host1:4222,host2:4222/culprit?replicas=3';

export const natsAddress = {
  shape: `CULPRIT_LOG_URL is not an address of NATS. Use the form ${example}`,
  prefix: (prefix: string) =>
    `CULPRIT_LOG_URL has the stream prefix "${prefix}". Use up to 64 letters, digits, - and _, such as ${example}`,
  parameter: (name: string) =>
    `CULPRIT_LOG_URL has the unknown parameter "${name}". Known are replicas, ack_wait, creds, ca, cert and key`,
  replicas: (value: string) => `CULPRIT_LOG_URL has replicas=${value}. NATS takes 1, 3 or 5`,
  ackWait: (value: string) => `CULPRIT_LOG_URL has ack_wait=${value}. Use 1 to 600 seconds`,
  certificate: 'CULPRIT_LOG_URL has one of cert and key. A client certificate needs both files',
  /** Without the text: it may be half of a password. */
  host: (nth: number) => `CULPRIT_LOG_URL has no host:port as server ${nth}`,
  credentials:
    'CULPRIT_LOG_URL has credentials that cannot be read. Write : as %3A, @ as %40, / as %2F and % as %25 in them',
  file: (name: string, path: string, reason: string) =>
    `CULPRIT_LOG_URL has ${name}=${path}, which cannot be read: ${reason}`,
} as const;

export const nats = {
  unreachable: (servers: string, reason: string) => `NATS at ${servers} does not respond: ${reason}`,
  refused: (servers: string) => `NATS at ${servers} rejects the credentials in CULPRIT_LOG_URL`,
  silent: (servers: string) => `NATS at ${servers} does not answer in time`,
  slow: (servers: string) => `NATS at ${servers} stores requests more slowly than they come`,
  disconnected: (servers: string) => `the connection to NATS at ${servers} is lost`,
  noJetStream: (servers: string) =>
    `NATS at ${servers} has JetStream off. Start it with "jetstream" in its configuration, or with -js`,
  noStorage: (servers: string) =>
    `NATS at ${servers} has less storage than CULPRIT_LOG_MAX_BYTES. Raise max_file of JetStream, or lower the setting`,
  noReplicas: (servers: string, replicas: number) =>
    `NATS at ${servers} cannot keep ${replicas} replicas. Start as many servers as a cluster, or use replicas=1`,
  refuses: (servers: string, reason: string) => `NATS at ${servers} says: ${reason}`,
  tooOld: (version: string) => `NATS ${version} is too old. Use 2.9 or later`,
} as const;
