import { literal, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { ReplicaJobFields } from './replica-job-fields.dto.js';

export class DeleteReplicaJob extends ReplicaJobFields {
  @Field(literal('delete-replica'), { default: 'delete-replica' }) type!: 'delete-replica';
  @Field(nullable(str()), { default: null }) schedule!: string | null;
}
