import { wireTime } from '../common/validation/date-time.js';
import type { SeedFile } from './data/seed-file.schema.js';
import type { SeedFileOut } from './dto/seed-file-out.dto.js';

/** @param path absolute download URL */
export const toSeedFileOut = (file: SeedFile, path: string): SeedFileOut => ({
  id: file._id,
  oid: file.oid,
  type: file.type,
  name: file.filename,
  path,
  hash: file.hash,
  size: file.size,
  originalFilename: file.originalFilename,
  mime: file.mime,
  userid: file.userid,
  userName: file.userName,
  created: wireTime(file.created),
  firstSeed: file.firstSeed ?? null,
  seedCount: file.seedCount ?? null,
});
