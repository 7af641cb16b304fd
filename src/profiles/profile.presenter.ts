import { wireTimeOrNull, wireSecondOrNull } from '../common/validation/date-time.js';
import type { BrowserProfile } from './data/browser-profile.schema.js';
import type { Profile, ProfileFile } from './dto/profiles.dto.js';

const toProfileFile = ({
  filename,
  hash,
  size,
  storage,
  replicas,
}: NonNullable<BrowserProfile['resource']>): ProfileFile => ({
  filename,
  hash,
  size,
  storage: { name: storage.name, custom: storage.custom ?? false },
  replicas: (replicas ?? []).map(({ name, custom }) => ({ name, custom: custom ?? false })),
});

/** @param inUse whether an active workflow uses it */
export const toProfile = (profile: BrowserProfile, inUse: boolean): Profile => ({
  id: profile._id,
  oid: profile.oid,
  name: profile.name,
  description: profile.description ?? '',
  userid: profile.userid,
  origins: profile.origins ?? [],
  resource: profile.resource ? toProfileFile(profile.resource) : null,
  created: wireSecondOrNull(profile.created),
  createdBy: profile.createdBy ?? null,
  createdByName: profile.createdByName ?? null,
  modified: wireTimeOrNull(profile.modified),
  modifiedBy: profile.modifiedBy ?? null,
  modifiedByName: profile.modifiedByName ?? null,
  modifiedCrawlDate: wireTimeOrNull(profile.modifiedCrawlDate),
  modifiedCrawlId: profile.modifiedCrawlId ?? null,
  modifiedCrawlCid: profile.modifiedCrawlCid ?? null,
  baseid: profile.baseid ?? null,
  crawlerChannel: profile.crawlerChannel ?? null,
  proxyId: profile.proxyId ?? null,
  inUse,
  tags: profile.tags ?? [],
});
