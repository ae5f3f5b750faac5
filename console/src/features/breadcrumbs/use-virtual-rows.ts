/** Only the rows in sight are drawn. The console is built without React's compiler, whose memoising this hook does not bear. */
export { useVirtualizer as useVirtualRows } from '@tanstack/react-virtual';
