import { list, literal, mapOf, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class RecalculateOrgStatsJob {
  @Field(str()) id!: string;
  @Field(literal('recalculate-org-stats'), { default: 'recalculate-org-stats' }) type!: 'recalculate-org-stats';
  @Field(nullable(uuid()), { default: null }) oid!: string | null;
  @Field(nullable(bool()), { default: null }) success!: boolean | null;
  @Field(dateTime()) started!: string;
  @Field(nullable(dateTime()), { default: null }) finished!: string | null;
  @Field(nullable(list(mapOf(nullable(dateTime())))), { default: null }) previousAttempts!:
    Record<string, string | null>[] | null;
}
