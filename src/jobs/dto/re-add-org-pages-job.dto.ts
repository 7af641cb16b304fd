import { literal, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { JobFields } from './job-fields.dto.js';

export class ReAddOrgPagesJob extends JobFields {
  @Field(literal('readd-org-pages'), { default: 'readd-org-pages' }) type!: 'readd-org-pages';
  @Field(nullable(str()), { default: null }) crawl_type!: string | null;
  @Field(nullable(str()), { default: null }) crawl_id!: string | null;
}
