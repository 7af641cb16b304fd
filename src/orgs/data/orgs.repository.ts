import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model, QueryFilter, UpdateQuery } from 'mongoose';
import { IGNORE_CASE_AND_ACCENTS } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { nameOrder, Org, type OrgSubscription } from './org.schema.js';
import { OrgsReads } from './orgs.reads.js';

/** Finds orgs by id, slug and subscription. It also changes single fields that need no rule. */
@Injectable()
export class OrgsRepository extends OrgsReads {
  constructor(
    @InjectModel(Org.name) orgs: Model<Org>,
    @InjectConnection() private readonly connection: Connection,
  ) {
    super(orgs);
  }

  /** Finds the org with exactly this slug. */
  async findBySlug(slug: string): Promise<Org | null> {
    return decode((await this.orgs.findOne({ slug }).lean().exec()) as Org | null);
  }

  async findDefault(tx?: Tx): Promise<Org | null> {
    return decode((await this.orgs.findOne({ default: true }, null, { session: tx }).lean().exec()) as Org | null);
  }

  async findBySubscription(subId: string, tx?: Tx): Promise<Org | null> {
    const query = this.orgs.findOne({ 'subscription.subId': subId }, null, { session: tx });
    return decode((await query.lean().exec()) as Org | null);
  }

  /**
   * Returns which unique value of the org another org has. The name is checked first, then the subscription, then the
   * slug (accounts §7.3).
   */
  async takenBy(org: {
    _id: string;
    name: string;
    slug: string;
    subId?: string;
  }): Promise<'name' | 'subId' | 'slug' | null> {
    const isTaken = async (filter: QueryFilter<Org>, isText: boolean): Promise<boolean> => {
      const options = isText ? { collation: IGNORE_CASE_AND_ACCENTS } : {};
      const other = { ...filter, _id: { $ne: org._id } } as QueryFilter<Org>;
      return (await this.orgs.findOne(other, { _id: 1 }, options).lean().exec()) !== null;
    };
    if (await isTaken({ name: org.name }, true)) return 'name';
    if (org.subId !== undefined && (await isTaken({ 'subscription.subId': org.subId } as QueryFilter<Org>, false)))
      return 'subId';
    return (await isTaken({ slug: org.slug }, true)) ? 'slug' : null;
  }

  /**
   * Whether an org has this name or slug. They are compared as the unique indexes do, without regard to case and
   * accents.
   */
  async isNameOrSlugTaken(name: string, slug: string, tx?: Tx): Promise<boolean> {
    const options = { session: tx, collation: IGNORE_CASE_AND_ACCENTS };
    return (
      (await this.orgs
        .findOne({ $or: [{ name }, { slug }] }, { _id: 1 }, options)
        .lean()
        .exec()) !== null
    );
  }

  async findByIds(oids: readonly string[]): Promise<Org[]> {
    if (oids.length === 0) return [];
    return decode(
      (await this.orgs
        .find({ _id: { $in: [...oids] } })
        .limit(oids.length)
        .lean()
        .exec()) as Org[],
    );
  }

  /** Stores a new org. @throws the driver's duplicate-key error when name, slug or subscription id is taken */
  async insert(org: Org, tx?: Tx): Promise<void> {
    await this.orgs.insertMany([{ ...org, nameLower: nameOrder(org.name) }], { session: tx });
  }

  /** Sets whole fields. @returns whether the org exists and meets `expected` */
  async set(oid: string, set: Partial<Org>, options: { expected?: QueryFilter<Org>; tx?: Tx } = {}): Promise<boolean> {
    const filter = { ...options.expected, _id: oid } as QueryFilter<Org>;
    const named = set.name === undefined ? {} : { nameLower: nameOrder(set.name) };
    const update = { $set: { ...set, ...named } } as UpdateQuery<Org>;
    return (await this.orgs.updateOne(filter, update, { session: options.tx }).exec()).matchedCount === 1;
  }

  /** Sets members of an object field, which may be null or absent. The field's other members stay. */
  async merge(oid: string, field: 'featureFlags', values: Readonly<Record<string, unknown>>, tx: Tx): Promise<void> {
    const update = [{ $set: { [field]: { $mergeObjects: [`$${field}`, { $literal: values }] } } }] as never;
    await this.orgs.updateOne({ _id: oid }, update, { session: tx, updatePipeline: true }).exec();
  }

  /** Sets the rights to proxies. The same update removes a suggested proxy that is not among `usable`. */
  async setProxies(
    oid: string,
    rights: { allowSharedProxies: boolean; allowedProxies: string[] },
    usable: readonly string[],
    tx: Tx,
  ): Promise<void> {
    const keeps = { $in: [{ $ifNull: ['$crawlingDefaults.proxyId', null] }, { $literal: [null, ...usable] }] };
    const without = { $mergeObjects: ['$crawlingDefaults', { proxyId: null }] };
    const update = [
      {
        $set: {
          allowSharedProxies: rights.allowSharedProxies,
          allowedProxies: { $literal: rights.allowedProxies },
          crawlingDefaults: { $cond: [keeps, '$crawlingDefaults', without] },
        },
      },
    ] as never;
    await this.orgs.updateOne({ _id: oid }, update, { session: tx, updatePipeline: true }).exec();
  }

  /** Sets members of an org's subscription, whose other members stay. The same update sets whole fields of the org. */
  async changeSubscription(
    oid: string,
    members: Partial<OrgSubscription>,
    { set, tx }: { set: Partial<Org>; tx: Tx },
  ): Promise<void> {
    const paths = Object.entries(members).map(([name, value]) => [`subscription.${name}`, value as unknown]);
    const update = { $set: { ...set, ...Object.fromEntries(paths) } } as UpdateQuery<Org>;
    await this.orgs.updateOne({ _id: oid }, update, { session: tx }).exec();
  }

  /**
   * Sets whether the org becomes read-only when its subscription is cancelled. An org without a subscription is not
   * changed.
   */
  async setReadOnlyOnCancel(oid: string, readOnlyOnCancel: boolean, tx: Tx): Promise<void> {
    const filter = { _id: oid, 'subscription.subId': { $exists: true } } as QueryFilter<Org>;
    const update = { $set: { 'subscription.readOnlyOnCancel': readOnlyOnCancel } };
    await this.orgs.updateOne(filter, update, { session: tx }).exec();
  }

  /** Removes a deleted collection from the suggestions for new workflows. */
  async forgetDedupeCollection(oid: string, collectionId: string): Promise<void> {
    const filter = { _id: oid, 'crawlingDefaults.dedupeCollId': collectionId } as QueryFilter<Org>;
    await this.orgs.updateOne(filter, { $set: { 'crawlingDefaults.dedupeCollId': null } }).exec();
  }

  /**
   * Ends the reuse of download URLs signed so far, and empties the reference's table of them.
   * @param oid the org; null for every org
   */
  async clearPresigned(oid: string | null, now: Date): Promise<void> {
    // The new moment is later than any for which a URL was signed, even when two calls come within one second.
    const next = new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000);
    const update = [{ $set: { presignedClearedAt: { $max: [next, { $add: ['$presignedClearedAt', 1000] }] } } }];
    await this.orgs.updateMany(oid === null ? {} : { _id: oid }, update as never, { updatePipeline: true }).exec();
    await this.connection.collection('presigned_urls').deleteMany(oid === null ? {} : { oid: uuid(oid) });
  }

  async delete(oid: string, tx?: Tx): Promise<boolean> {
    return (await this.orgs.deleteOne({ _id: oid }, { session: tx }).exec()).deletedCount === 1;
  }
}
