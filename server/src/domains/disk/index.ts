export { createGiveBack } from './give-back.ts';
