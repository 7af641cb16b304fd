import { Injectable } from '@nestjs/common';
import { UsersRepository } from '../../users/data/users.repository.js';
import { InvalidDb } from './archive.errors.js';
import { EXPORTED, OrgArchiveRepository, type ExportedList } from '../data/org-archive.repository.js';
import type { Org } from '../data/org.schema.js';

/** Exports everything stored of an org except its files, as one JSON document. Contract: accounts §10.1. */
@Injectable()
export class OrgExport {
  constructor(
    private readonly archive: OrgArchiveRepository,
    private readonly users: UsersRepository,
  ) {}

  /** Yields the document in pieces and holds one element at a time. @throws InvalidDb before the first piece */
  async export(org: Org): Promise<AsyncGenerator<string>> {
    const dbVersion = await this.archive.dbVersion();
    if (dbVersion === null) throw new InvalidDb();
    return this.pieces(org, dbVersion);
  }

  private async *pieces(org: Org, dbVersion: string): AsyncGenerator<string> {
    const stored = await this.archive.org(org._id);
    const document = { ...stored, userDetails: await this.userDetails(org) };
    yield `{"data": {"dbVersion": ${JSON.stringify(dbVersion)}, "org": ${JSON.stringify(document)}`;
    for (const name of Object.keys(EXPORTED) as ExportedList[]) {
      yield `, "${name}": [`;
      let isFirst = true;
      for await (const element of this.archive.list(org._id, name)) {
        yield `${isFirst ? '' : ',\n'}${JSON.stringify(element)}`;
        isFirst = false;
      }
      yield ']';
    }
    yield '}}\n';
  }

  private async userDetails(org: Org) {
    const users = await this.users.findByIds(Object.keys(org.users ?? {}));
    return users.map(({ id, name, email }) => ({ id, role: org.users?.[id] ?? 0, name, email }));
  }
}
