/** Why a change of many issues is refused. */
export const bulk = {
  hidden: 'it changed issues of projects that you can no longer see',
};
