import { binary, ComponentName } from '../../common/openapi/returns.js';
import { ListOf } from '../../common/validation/fields.js';

/** Parts of an upload by form; streamed, never read whole. */
@ComponentName('Body_upload_formdata_api_orgs__oid__uploads_formdata_put')
export class UploadForm {
  /** WACZ files; the item keeps them in this order. */
  @ListOf(binary()) uploads!: string[];
}
