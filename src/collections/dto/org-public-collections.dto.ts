import { ListOf, Nested } from '../../common/validation/fields.js';
import { PublicCollOut } from './public-coll-out.dto.js';
import { PublicOrgDetails } from './public-org-details.dto.js';

export class OrgPublicCollections {
  @Nested(() => PublicOrgDetails) org!: PublicOrgDetails;
  @ListOf(() => PublicCollOut) collections: PublicCollOut[] = [];
}
