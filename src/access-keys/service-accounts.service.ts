import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { wireTime } from '../common/validation/date-time.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ServiceAccountNotFound, TooManyServiceAccounts } from './access-keys.errors.js';
import { AccessKeys, toKeyOut } from './access-keys.service.js';
import { AccessKeysRepository } from './data/access-keys.repository.js';
import type { ServiceAccount } from './data/service-account.schema.js';
import { ServiceAccountsRepository } from './data/service-accounts.repository.js';
import type { ApiKeyCreate, ApiKeyCreated, ApiKeyOut } from './dto/access-keys.dto.js';
import type { ServiceAccountCreate, ServiceAccountOut, ServiceAccountUpdate } from './dto/service-accounts.dto.js';

/** More programs than anybody looks after. */
const MOST_ACCOUNTS = 50;

const toOut = (account: ServiceAccount, keys: ApiKeyOut[]): ServiceAccountOut => ({
  id: account._id,
  name: account.name,
  role: account.role as ServiceAccountOut['role'],
  disabled: account.disabled,
  created: wireTime(account.created),
  createdByName: account.createdByName,
  keys,
});

/** Makes, lists, changes and deletes the service accounts of orgs. ADR 0057. */
@Injectable()
export class ServiceAccounts {
  constructor(
    private readonly accounts: ServiceAccountsRepository,
    private readonly keys: AccessKeysRepository,
    private readonly making: AccessKeys,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(oid: string): Promise<ServiceAccountOut[]> {
    const accounts = await this.accounts.list(oid, MOST_ACCOUNTS);
    const keys = await this.keys.listOf(accounts.map(({ _id }) => _id));
    return accounts.map((account) => toOut(account, keys.filter(({ holder }) => holder === account._id).map(toKeyOut)));
  }

  /** @throws TooManyServiceAccounts */
  async create(oid: string, { id, name: by }: Principal, given: ServiceAccountCreate): Promise<ServiceAccountOut> {
    const account = {
      ...{ _id: newId(), oid, name: given.name, role: given.role, disabled: false },
      ...{ created: this.clock.now(), createdBy: id, createdByName: by, keyMade: null },
    };
    for (;;) {
      const taken = new Set((await this.accounts.list(oid, MOST_ACCOUNTS)).map(({ slot }) => slot));
      const free = Array.from({ length: MOST_ACCOUNTS }, (_, slot) => slot).filter((slot) => !taken.has(slot));
      const slot = free[Math.floor(Math.random() * free.length)];
      if (slot === undefined) throw new TooManyServiceAccounts();
      if (await this.accounts.insert({ ...account, slot })) return toOut({ ...account, slot }, []);
    }
  }

  /** Holds for its keys from the next request on. @throws ServiceAccountNotFound */
  async change(oid: string, accountId: string, { name, role, disabled }: ServiceAccountUpdate): Promise<void> {
    const set = {
      ...(name === null ? {} : { name }),
      ...(role === null ? {} : { role }),
      ...(disabled === null ? {} : { disabled }),
    };
    if (!(await this.accounts.change(oid, accountId, set))) throw new ServiceAccountNotFound();
  }

  /** Its keys go with it; what it made stays. @throws ServiceAccountNotFound */
  async delete(oid: string, accountId: string): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      if (!(await this.accounts.delete(oid, accountId, tx))) throw new ServiceAccountNotFound();
      await this.keys.deleteAll(accountId, tx);
    });
  }

  /** @throws ServiceAccountNotFound, KeyScopeNotAllowed, KeyExpiryPast, KeyAddressInvalid, TooManyKeys */
  async createKey(oid: string, accountId: string, caller: Principal, wanted: ApiKeyCreate): Promise<ApiKeyCreated> {
    const account = await this.accounts.find(oid, accountId);
    if (!account) throw new ServiceAccountNotFound();
    return this.making.create({ kind: 'service', id: accountId, oid, name: account.name }, caller, wanted, (key) =>
      this.unitOfWork.run(async (tx) => {
        if (!(await this.accounts.hold(oid, accountId, this.clock.now(), tx))) throw new ServiceAccountNotFound();
        await this.keys.add(key, tx);
      }),
    );
  }

  /** @throws ServiceAccountNotFound, KeyNotFound */
  async revokeKey(oid: string, accountId: string, keyId: string): Promise<void> {
    const account = await this.accounts.find(oid, accountId);
    if (!account) throw new ServiceAccountNotFound();
    await this.making.revoke({ kind: 'service', id: accountId, oid, name: account.name }, keyId);
  }
}
