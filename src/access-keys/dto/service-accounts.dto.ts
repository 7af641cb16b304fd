import { Bool, ListOf, OneOf, Str, TimeText, Uuid } from '../../common/validation/fields.js';
import { ApiKeyOut } from './access-keys.dto.js';

/** Roles of members, without the superuser's. */
const ROLES = [10, 20, 40] as const;
type ServiceRole = (typeof ROLES)[number];

export class ServiceAccountPath {
  @Uuid() oid!: string;
  /** Id of the service account. */
  @Uuid() accountId!: string;
}

export class ServiceKeyPath extends ServiceAccountPath {
  /** Id of the key. */
  @Uuid() keyId!: string;
}

export class ServiceAccountCreate {
  /** What works here; it is shown where names of people are. */
  @Str({ min: 1, max: 100 }) name!: string;
  /** 10 viewer, 20 crawler, 40 owner. */
  @OneOf(ROLES) role!: ServiceRole;
}

/** Absent and null fields stay. */
export class ServiceAccountUpdate {
  @Str({ min: 1, max: 100, nullable: true }) name: string | null = null;
  /** 10 viewer, 20 crawler, 40 owner. */
  @OneOf(ROLES, { nullable: true }) role: ServiceRole | null = null;
  /** Whether its keys open nothing for now. */
  @Bool({ nullable: true }) disabled: boolean | null = null;
}

export class ServiceAccountOut {
  @Uuid() id!: string;
  @Str() name!: string;
  /** 10 viewer, 20 crawler, 40 owner. */
  @OneOf(ROLES) role!: ServiceRole;
  /** Whether its keys open nothing for now. */
  @Bool() disabled!: boolean;
  @TimeText() created!: string;
  /** Who made it; it does not end with them. */
  @Str() createdByName!: string;
  /** Its keys, at most 25. */
  @ListOf(() => ApiKeyOut) keys!: ApiKeyOut[];
}

export class ServiceAccountsOut {
  /** All of the org, at most 50. */
  @ListOf(() => ServiceAccountOut) items!: ServiceAccountOut[];
}
