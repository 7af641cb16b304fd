import { literal } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { ReplicaJobFields } from './replica-job-fields.dto.js';

export class CreateReplicaJob extends ReplicaJobFields {
  @Field(literal('create-replica'), { default: 'create-replica' }) type!: 'create-replica';
}
