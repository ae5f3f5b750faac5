import styles from './row-link.module.css';

/** For the link in a row of a list or table that all of the row leads to. */
export const rowLinkClass = styles.link ?? '';
