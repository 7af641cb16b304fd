import { Bool } from '../../common/validation/fields.js';

export class DeleteDedupeIndex {
  @Bool() removeFromWorkflows = false;
}
