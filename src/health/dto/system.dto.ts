import { Bool, Int, ListOf, Nested, Str } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class DatabaseState {
  /** Of the server, such as `7.0.14`. */
  @Str() version!: string;
  /** Bytes of all documents, uncompressed. */
  @Int() dataBytes!: number;
  /** Bytes that documents and indexes take on the server's disk. */
  @Int() diskBytes!: number;
}

export class DiskSpace {
  /** DATA_DIR of the process that answers. */
  @Str() path!: string;
  /** Bytes that the service may still write. */
  @Int() freeBytes!: number;
  /** Size of the disk, bytes. */
  @Int() totalBytes!: number;
}

export class SystemState {
  /** Version of the service. */
  @Str() version!: string;
  /** Version of Node.js. */
  @Str() node!: string;
  /** CRAWL_DRIVER: `local`, `docker`, `kubernetes`, `fake`. */
  @Str() driver!: string;
  /** Whether the driver can start crawls now. */
  @Bool() isDriverReady!: boolean;
  /** The database that this process uses. */
  @Nested(() => DatabaseState) database!: DatabaseState;
  /** The disk with the process's own files. */
  @Nested(() => DiskSpace) disk!: DiskSpace;
  /** Names of the storages that orgs may be given, the default one first. */
  @ListOf(str()) storages!: string[];
  /** Whether all of them answer now. */
  @Bool() areStoragesReady!: boolean;
  /** Where mails go: a server, or a folder. */
  @Str() mail!: string;
}

export class TestMailResult {
  /** Whether the server took the mail. */
  @Bool() success!: boolean;
  /** Where it was sent to. */
  @Str() target!: string;
  /** What to change when it was not taken; empty otherwise. */
  @Str() reason!: string;
}
