import styles from './field-frame.module.css';

/** For what looks like one field and holds more: an icon, chips, buttons beside the input, line numbers. */
export const fieldFrameClass = styles.frame ?? '';
