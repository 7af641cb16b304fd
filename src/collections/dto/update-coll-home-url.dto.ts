import { Uuid } from '../../common/validation/fields.js';

export class UpdateCollHomeUrl {
  @Uuid({ nullable: true, optional: true }) pageId?: string | null;
}
