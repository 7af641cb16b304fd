import { Uuid } from '../../common/validation/fields.js';

export class TusUploadPath {
  @Uuid() oid!: string;
  @Uuid() upload_id!: string;
}
