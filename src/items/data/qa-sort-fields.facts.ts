const runs = {
  $concatArrays: [
    { $map: { input: { $objectToArray: { $ifNull: ['$qaFinished', {}] } }, in: '$$this.v' } },
    { $cond: [{ $gt: ['$qa', null] }, ['$qa'], []] },
  ],
};

/** The QA run that started last; null when there is none. */
const latest = {
  $reduce: {
    input: runs,
    initialValue: null,
    in: { $cond: [{ $gt: ['$$this.started', '$$value.started'] }, '$$this', '$$value'] },
  },
};

const ofLatest = (field: 'state' | 'started') => ({
  $let: { vars: { last: latest }, in: { $ifNull: [`$$last.${field}`, null] } },
});

/**
 * A stage of an update that derives the sort fields of item lists from `qa` and `qaFinished`. Every update that adds or
 * removes a QA run has to include it.
 */
export const SET_QA_SORT_FIELDS = {
  $set: { qaRunCount: { $size: runs }, lastQAState: ofLatest('state'), lastQAStarted: ofLatest('started') },
};
