/**
 * Something that a run cannot start without is gone, and no later evaluation finds it. The message is for the user's
 * list of errors.
 */
export class RunInputGone extends Error {}
