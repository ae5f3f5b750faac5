/** A text is not read further than this. */
export const maxLines = 2000;
export const maxLine = 2000;
export const maxFrames = 250;
