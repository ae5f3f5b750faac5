import { covering, describePages, openers } from './language-pages.ts';

/** Nearly all fields are in the first; the page of each event is read where tests are to last. */
const most = 16;

describePages((events) => covering(events).filter(({ name }, index) => index < most || openers.includes(name)));
