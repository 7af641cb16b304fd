import { list, model } from '../../common/validation/composites.js';
import { PublicCollOut } from './public-coll-out.dto.js';
import { PublicOrgDetails } from './public-org-details.dto.js';
import { Field } from '../../common/validation/model.js';

export class OrgPublicCollections {
  @Field(model(() => PublicOrgDetails)) org!: PublicOrgDetails;
  @Field(list(model(() => PublicCollOut)), { default: [] }) collections!: PublicCollOut[];
}
