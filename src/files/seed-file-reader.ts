import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type ListPage } from '../common/pagination/page.js';
import type { Org } from '../orgs/data/org.schema.js';
import { PresignedFiles } from '../storage/presigned-files.js';
import { SEED_FILE_ORDERS } from './data/seed-file.schema.js';
import { SeedFilesRepository } from './data/seed-files.repository.js';
import type { FileListQuery, SeedFileOut } from './dto/files.dto.js';
import { FileNotFound } from './files.errors.js';
import { toSeedFileOut } from './seed-file.presenter.js';

/** Presents seed files in the API's form. */
@Injectable()
export class SeedFileReader {
  constructor(
    private readonly files: SeedFilesRepository,
    private readonly presigned: PresignedFiles,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(org: Org, query: FileListQuery, origin: string): Promise<ListPage<SeedFileOut>> {
    const sort = checkSort(SEED_FILE_ORDERS, query.sortBy, query.sortDirection);
    const [items, total] = await Promise.all([
      this.files.list(org._id, pageBounds(query), sort),
      this.files.count(org._id),
    ]);
    return pageOf(
      query,
      total,
      items.map((file) => toSeedFileOut(file, this.presigned.absoluteUrl(org, file, origin))),
    );
  }

  /** @throws FileNotFound */
  async get(org: Org, fileId: string, origin: string): Promise<SeedFileOut> {
    const file = await this.files.find(org._id, fileId);
    if (!file) throw new FileNotFound();
    return toSeedFileOut(file, this.presigned.absoluteUrl(org, file, origin));
  }
}
