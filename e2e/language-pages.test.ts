import { covering, describePages } from './language-pages.ts';

/** Nearly all fields are in the first; the page of each event is read where tests are to last. */
const most = 16;

describePages((events) => covering(events).slice(0, most));
