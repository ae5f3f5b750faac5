export {
  type Control,
  type ControlAddress,
  type ControlServer,
  connectControl,
  type MoveHost,
  openControl,
} from './control.ts';
export { forgetJournal } from './journal.ts';
export {
  type Moved,
  type Places,
  readMark,
  readMoved,
  removeMoved,
  type StoreName,
  storeNames,
  writeMark,
  writeMoved,
} from './marks.ts';
export {
  type BlobsEnds,
  type EventsEnds,
  finish,
  type Gate,
  type Move,
  move,
  type MoveReport,
  type StateEnds,
} from './move.ts';
