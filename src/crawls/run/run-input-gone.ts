/**
 * What a run can't start without is not there any more, and no later evaluation finds it. The message is for the user's
 * list of errors.
 */
export class RunInputGone extends Error {}
