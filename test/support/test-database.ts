import { randomBytes } from 'node:crypto';
import mongoose, { type Connection, type Model, type Schema } from 'mongoose';

export interface TestDatabase {
  readonly connection: Connection;
  /** The model of a stored class, with its indexes built. */
  model<T>(name: string, schema: Schema): Promise<Model<T>>;
  /** Drops the database. */
  close(): Promise<void>;
}

/** A database of its own for one test file about repositories and queries. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = process.env['MUNIMENT_TEST_MONGO_URL'];
  if (!url) throw new Error('MUNIMENT_TEST_MONGO_URL is not set: run the tests through jest with its global setup.');
  const connection = await mongoose
    .createConnection(url, { dbName: `t_${randomBytes(8).toString('hex')}` })
    .asPromise();
  return {
    connection,
    model: async <T>(name: string, schema: Schema): Promise<Model<T>> => {
      connection.model(name, schema);
      const collection = connection.collection(String(schema.get('collection')));
      await connection.createCollection(collection.name);
      for (const [keys, options] of schema.indexes())
        await collection.createIndex(keys as Record<string, 1>, options as Record<string, never>);
      return connection.models[name] as unknown as Model<T>;
    },
    close: async () => {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

interface PlanStage {
  stage: string;
  indexName?: string;
  inputStage?: PlanStage;
  inputStages?: PlanStage[];
}

export interface Explained {
  /** Names of the stages, outermost first. */
  stages: string[];
  indexes: string[];
  keysExamined: number;
  docsExamined: number;
  /** Documents that went through an in-memory sort; 0 without one. */
  sorted: number;
}

interface ExplainOutput {
  queryPlanner: { winningPlan: PlanStage & { queryPlan?: PlanStage } };
  executionStats: { totalKeysExamined: number; totalDocsExamined: number; executionStages: ExecutionStage };
}

interface ExecutionStage {
  stage: string;
  nReturned?: number;
  inputStage?: ExecutionStage;
  inputStages?: ExecutionStage[];
}

const walk = <S extends { inputStage?: S; inputStages?: S[] }>(stage: S): S[] => [
  stage,
  ...[...(stage.inputStage ? [stage.inputStage] : []), ...(stage.inputStages ?? [])].flatMap((inner) => walk(inner)),
];

interface PipelineOutput {
  stages?: ({ $cursor?: unknown; nReturned?: number } & Record<string, unknown>)[];
}

/** Documents that the stages of a pipeline sort outside of its query. */
function sortedByStages({ stages = [] }: PipelineOutput): number {
  const inputs = stages.map((stage, n) => ('$sort' in stage ? (stages[n - 1]?.nReturned ?? 0) : 0));
  return Math.max(0, ...inputs.map(Number));
}

/** What `explain('executionStats')` says of a query or a pipeline, reduced to what tests ask. */
export function explained(output: unknown): Explained {
  const query = (output as PipelineOutput).stages?.[0]?.$cursor ?? output;
  const { queryPlanner, executionStats } = query as ExplainOutput;
  const plan = walk(queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan);
  const sorts = walk(executionStats.executionStages).filter(({ stage }) => stage === 'SORT');
  const inputOf = (stage: ExecutionStage): number => stage.inputStage?.nReturned ?? 0;
  return {
    stages: plan.map(({ stage }) => stage),
    indexes: [...new Set(plan.flatMap(({ indexName }) => (indexName ? [indexName] : [])))],
    keysExamined: executionStats.totalKeysExamined,
    docsExamined: executionStats.totalDocsExamined,
    sorted: Math.max(sortedByStages(output as PipelineOutput), ...sorts.map(inputOf)),
  };
}
