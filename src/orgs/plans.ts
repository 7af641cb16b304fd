import { Injectable } from '@nestjs/common';
import { ListOf } from '../common/validation/fields.js';
import { parseModel } from '../common/validation/parse-model.js';
import { AppConfig } from '../config/app-config.js';
import { Plan } from './dto/orgs.dto.js';
import { InvalidPlan, InvalidPlans } from './orgs.errors.js';

class PlansDocument {
  @ListOf(() => Plan) plans!: Plan[];
}

/** Reads the subscription plans on offer from AVAILABLE_PLANS. Contract: accounts §7.4. */
@Injectable()
export class Plans {
  constructor(private readonly config: AppConfig) {}

  /** Lists the plans. Quotas that a plan does not name are 0. @throws InvalidPlans */
  list(): Plan[] {
    const text = this.config.billing.plansJson;
    if (text.trim() === '') return [];
    const parsed = parseModel(PlansDocument, readJson(text));
    if (!parsed.ok) throw new InvalidPlans();
    return parsed.value.plans;
  }

  /** @throws InvalidPlans, InvalidPlan */
  get(id: string): Plan {
    const plan = this.list().find((known) => known.id === id);
    if (!plan) throw new InvalidPlan();
    return plan;
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Every text that is not JSON counts as an invalid document of plans.
    throw new InvalidPlans();
  }
}
