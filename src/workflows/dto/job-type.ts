/** The contract's `JobType`. */
export { JOB_TYPES, type JobType } from '../data/workflow.schema.js';
