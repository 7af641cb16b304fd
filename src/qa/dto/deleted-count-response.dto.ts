import { Int } from '../../common/validation/fields.js';

export class DeletedCountResponse {
  @Int() deleted!: number;
}
