/** `culprit move`: from stores on one machine to those that many nodes share, and back. */
import { byteSize, listed, number, plural, withUnit } from './intl.ts';

const storeTitles = { state: 'PostgreSQL', events: 'ClickHouse', blobs: 'S3', log: 'NATS' } as const;
type StoreName = keyof typeof storeTitles;

const seconds = (ms: number): string => withUnit(Math.round(ms / 100) / 10, 's');

export const move = {
  summary: 'Moves a running installation to PostgreSQL, ClickHouse, S3 and NATS, or back to a data directory.',
  usage: '--to URL [URL …] | --to DIR | --undo  [--dry-run] [--rate 50m] [--json]',
  to: 'where to: postgres://, https:// (ClickHouse), s3:// and nats:// URLs, or an empty directory; - reads them from standard input',
  dryRun: 'check everything and say what would be copied; change nothing',
  rate: 'most bytes a second while the server runs, such as 50m (default: no limit)',
  undo: 'let the data directory be used again after a move away from it',

  nothing: 'Name at least one place: culprit move --to postgres://… https://… s3://… nats://…',
  unknownPlace: (text: string) => `"${text}" is not a place to move to. Use a URL of a store, or a directory`,
  twice: (store: StoreName) => `Two URLs are of ${storeTitles[store]}. Name each store once`,
  already: (store: StoreName) => `The installation uses ${storeTitles[store]} already. Name only stores that change`,
  backNeeds: 'To move back, give the settings of the nodes: CULPRIT_STATE_URL, CULPRIT_EVENTS_URL and the others',

  notRunning: 'the server does not run. Start it with "culprit serve": what it received is processed first',
  noControl: 'the running server is of an earlier version. Restart it with this one',
  otherVersion: (version: string) => `the running server is of version ${version}. Use the same version for both`,
  serverGone: 'the server has stopped. Start it again, and run the same command again: it continues where it stopped',
  thawed: 'the server has gone on, because the last step took too long. Run the same command again',
  busy: (what: string) => `${what} did not end in time. Run the same command again`,
  batches: 'a batch of events',
  writes: 'a request that changes something',
  jobs: 'background work',
  notEmpty: (place: string) => `${place} contains another installation. Name an empty one`,
  inUse: (place: string, connections: number) =>
    `${place} is in use: ${plural(connections, 'other connection')}. Start new nodes once the command copies`,
  notSame: (place: string, what: string) => `${place} is not the same as what it was copied from: ${what}`,
  tooLong: (ms: number) =>
    `the last step would take longer than ${seconds(ms)}. Run the same command again at a quieter time`,
  nodesRun: (nodes: number) => `${plural(nodes, 'connection')} to PostgreSQL still open`,
  changing: (table: string) => `rows of the table ${table} change faster than they are copied. Try again later`,
  dirUsed: (dir: string, name: string) => `${dir} contains ${name}. Name an empty directory`,
  keyMissing:
    'the key that secrets are sealed with is not here. Set CULPRIT_SECRET or CULPRIT_KEY_FILE as the nodes have it',
  keyOther: (fingerprint: string, here: string) =>
    `secrets are sealed with the key ${fingerprint}, but the key here is ${here}. Set CULPRIT_SECRET or CULPRIT_KEY_FILE as the nodes have it`,
  shards: 'the events store has several shards. Move back from a cluster of one shard only',

  resumed: 'Continues the move that was started before.',
  stage: {
    prepare: 'Making the tables.',
    copy: 'Copying while the server runs.',
    catchUp: 'Catching up.',
    freeze: 'Switching over.',
    waitForNodes: 'Stop all nodes now. The last step begins once none of them is connected to PostgreSQL.',
  },
  progress: {
    blobs: (done: number, bytes: number) => `  files  ${number(done)} (${byteSize(bytes)})`,
    events: (table: string, done: number, of: number) =>
      `  events  ${number(done)} of ${number(Math.max(done, of))} rows  ${table}`,
    state: (table: string, done: number, of: number) =>
      `  state  ${number(done)} of ${number(Math.max(done, of))} rows  ${table}`,
  },
  pass: (rows: number, blobs: number, ms: number) =>
    `  ${plural(rows, 'row')} and ${plural(blobs, 'file')} in ${seconds(ms)}`,
  done: (places: readonly string[]) => `The installation has moved to ${listed(places, 'and')}.`,
  frozen: (ms: number) => `Changes waited for ${seconds(ms)}. Events were accepted all the time.`,
  verified: (state: number, events: number, blobs: number) =>
    `Verified: ${plural(state, 'row')} of state, ${plural(events, 'row')} of events, ${plural(blobs, 'file')}.`,
  report: (path: string) => `The counts and checksums are in ${path}.`,
  key: (fingerprint: string) =>
    `Secrets stay sealed with the key ${fingerprint}. Nodes need the same CULPRIT_SECRET, or the same key file.`,
  settings: 'Start nodes with these settings:',
  forwards: 'The server that ran here forwards what it still receives. Stop it once nothing is sent to it.',
  stopped: 'The server that ran here stops. Start it again with these settings and the same data directory.',
  startDir: (dir: string) => `Start it with: culprit serve --data-dir ${dir}`,
  dry: 'Nothing was changed. It would copy:',
  dryState: (rows: number) => `  state   ${plural(rows, 'row')}`,
  dryEvents: (rows: number, bytes: number) => `  events  ${plural(rows, 'row')} (${byteSize(bytes)} on disk)`,
  dryBlobs: (blobs: number, bytes: number) => `  files   ${plural(blobs, 'file')} (${byteSize(bytes)})`,
  dryLog: (records: number) =>
    `  log     ${plural(records, 'request')} that ${records === 1 ? 'waits' : 'wait'} at the end`,
  undone: (dir: string) =>
    `${dir} can be started again, as it was when it was left. Newer events and changes are in the other stores only.`,
  notMoved: (dir: string) => `${dir} was not moved`,

  /** Why a server does not start. */
  goneTo: (places: readonly string[], settings: readonly string[]) =>
    `${listed(places, 'and')}. Start it with ${listed(settings, 'and')}, or run "culprit move --undo" to use the old stores again`,
  goneToDir: (dir: string) => `${dir}. Start it there, or run "culprit move --undo" to use the old stores again`,
  waits: 'an installation is being moved here; the start continues when it is complete',
} as const;
