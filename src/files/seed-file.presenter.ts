import type { SeedFile } from './data/seed-file.schema.js';
import type { SeedFileOut } from './dto/files.dto.js';
import { toUserFileOut } from './user-file.presenter.js';

/** @param path absolute download URL */
export const toSeedFileOut = (file: SeedFile, path: string): SeedFileOut => ({
  ...toUserFileOut(file, path),
  id: file._id,
  oid: file.oid,
  type: file.type,
  firstSeed: file.firstSeed ?? null,
  seedCount: file.seedCount ?? null,
});
