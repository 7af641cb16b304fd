import { Module, type DynamicModule, type ModuleMetadata, type Provider } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { Schema } from 'mongoose';

/** Schemas by the names of their stored classes. */
export type Schemas = Readonly<Record<string, Schema>>;

/** Makes the module that provides these models; a module whose providers inject them imports it. */
export const modelsOf = (schemas: Schemas): DynamicModule =>
  MongooseModule.forFeature(Object.entries(schemas).map(([name, schema]) => ({ name, schema })));

/** The data that a room stores or reads. */
export interface RoomData {
  readonly models: Schemas;
  /** Providers that read and write the models. Rooms that import the module get these, but not the models. */
  readonly providers: Provider[];
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

/** Decorates the module of data that several rooms read. */
export const DataModule = ({ models, providers, imports = [] }: RoomData): ClassDecorator =>
  Module({ imports: [...imports, modelsOf(models)], providers, exports: providers });
