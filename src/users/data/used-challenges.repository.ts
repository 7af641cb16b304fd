import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { UsedChallenge } from './used-challenge.schema.js';

@Injectable()
export class UsedChallengesRepository {
  constructor(@InjectModel(UsedChallenge.name) private readonly challenges: Model<UsedChallenge>) {}

  /** @returns false for one that was used, by whichever process */
  async use(challenge: string, until: Date): Promise<boolean> {
    try {
      await this.challenges.insertMany([{ _id: challenge, until }]);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
