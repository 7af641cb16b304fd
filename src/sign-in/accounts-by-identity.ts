import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { parseEmail } from '../common/validation/email.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import type { Tx } from '../database/unit-of-work.js';
import { Membership } from '../orgs/members/membership.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { hashOfNoPassword } from '../users/password-hasher.js';
import { IdentitiesRepository } from './data/identities.repository.js';
import type { Identity } from './data/identity.schema.js';
import { MappedOrgs, type MappedFor } from './mapped-orgs.js';
import type { ProvenPerson } from './provider-client.js';
import type { ProviderSettings } from './rules/provider-settings.js';
import { SignInAddressTaken, SignInAddressUnverified, SignInNoAccount } from './sign-in.errors.js';

/** Number of tries when another sign-in of the person, or a registration, was first. */
const ROUNDS = 5;
const LONGEST_NAME = 100;

/** Finds the account of a person whom a provider has proved, links or makes it. ADR 0051. */
@Injectable()
export class AccountsByIdentity {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly users: UsersRepository,
    private readonly membership: Membership,
    private readonly mappedOrgs: MappedOrgs,
    private readonly clock: Clock,
  ) {}

  /**
   * Account, identity and what the mapping gives and takes are written together or not at all.
   * @throws SignInNoAccount, SignInAddressUnverified, SignInAddressTaken
   */
  async accountOf(person: ProvenPerson, settings: ProviderSettings): Promise<User> {
    const mapped = await this.mappedOrgs.of(person, settings);
    for (let round = 1; ; round++) {
      try {
        return await this.membership.joining(async (tx) => {
          const known = await this.known(person, tx);
          const { user, identity } = known ?? (await this.newcomer(person, { settings, mapped }, tx));
          await this.mappedOrgs.apply(user, identity, mapped, tx);
          return user;
        });
      } catch (error) {
        if (!isDuplicateKey(error) || round === ROUNDS) throw error;
      }
    }
  }

  private async known(person: ProvenPerson, tx: Tx): Promise<{ user: User; identity: Identity } | null> {
    const identity = await this.identities.seen(person, this.clock.now(), tx);
    if (!identity) return null;
    const user = await this.users.findById(identity.userid, tx);
    if (user) return { user, identity };
    // The account was deleted; the person is unknown again.
    await this.identities.delete(identity._id, tx);
    return null;
  }

  private async newcomer(
    person: ProvenPerson,
    { settings, mapped }: { settings: ProviderSettings; mapped: MappedFor },
    tx: Tx,
  ): Promise<{ user: User; identity: Identity }> {
    const address = person.email === null ? { reason: 'none' } : parseEmail(person.email);
    const isVerified = person.isEmailVerified || settings.trustsAddresses;
    // Neither is an account found by an unproven address, nor may one take it from whom it belongs to.
    if (!('address' in address) || !isVerified) {
      throw settings.newAccounts === 'never' && !settings.linksByAddress
        ? new SignInNoAccount()
        : new SignInAddressUnverified();
    }
    const email = address.address;
    const holder = await this.users.findByEmail(email, tx);
    const user = holder ?? this.newUser(person, email);
    // Accounts are looked up as a database compares, for which full-width letters are others' equals.
    if (holder && holder.email.toLowerCase() !== email) throw new SignInAddressTaken();
    if (holder) await this.assertLinkable(holder, person.issuer, settings, tx);
    else {
      if (settings.newAccounts === 'never' || (settings.newAccounts === 'mapped' && !mapped.givesAnything))
        throw new SignInNoAccount();
      await this.users.insert(user, tx);
    }
    const identity = this.newIdentity(person, user.id);
    await this.identities.insert(identity, tx);
    return { user, identity };
  }

  /** @throws SignInAddressTaken */
  private async assertLinkable(holder: User, issuer: string, settings: ProviderSettings, tx: Tx): Promise<void> {
    const mayBe =
      settings.linksByAddress &&
      !holder.is_superuser &&
      // Else whoever registered with somebody's address would share the account with them.
      holder.is_verified &&
      !(await this.identities.isLinked(holder.id, issuer, tx));
    if (!mayBe) throw new SignInAddressTaken();
  }

  private newUser({ name }: ProvenPerson, email: string): User {
    return {
      id: newId(),
      email,
      name: (name ?? email).slice(0, LONGEST_NAME),
      is_superuser: false,
      is_verified: true,
      hashed_password: hashOfNoPassword(),
    };
  }

  private newIdentity({ issuer, subject }: ProvenPerson, userid: string): Identity {
    const now = this.clock.now();
    return {
      _id: newId(),
      issuer,
      subject,
      userid,
      created: now,
      lastSeen: now,
      granted: [],
      grantedSuperuser: false,
    };
  }
}
