const runs = {
  $concatArrays: [
    { $map: { input: { $objectToArray: { $ifNull: ['$qaFinished', {}] } }, in: '$$this.v' } },
    { $cond: [{ $gt: ['$qa', null] }, ['$qa'], []] },
  ],
};

/** The run started last; null when there is none. */
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
 * Stage of an update: what item lists sort by, derived anew from `qa` and `qaFinished`. It belongs into every update
 * that changes which runs there are.
 */
export const SET_QA_SORT_FIELDS = {
  $set: { qaRunCount: { $size: runs }, lastQAState: ofLatest('state'), lastQAStarted: ofLatest('started') },
};
