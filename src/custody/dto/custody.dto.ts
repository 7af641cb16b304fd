import { Bool, Enum, Int, ItemId, ListOf, Nested, OneOf, Str, TimeText, Uuid } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { ItemFixity } from '../../items/dto/fixity.dto.js';

const SIGNERS = ['this service', 'domain', 'key'] as const;
const PLACES = ['package', 'record'] as const;

export class CustodyQuery {
  /** `html`: one page to print; without it the header `Accept` decides. */
  @OneOf(['json', 'html'], { nullable: true, optional: true }) format?: 'json' | 'html' | null;
}

/** Who signed a file. */
export class CustodySignature {
  /** A key of this service, the owner of a domain, or whoever has the key. */
  @Enum('CustodySigner', SIGNERS) by!: (typeof SIGNERS)[number];
  /** In the package; or beside it in this record, and then of the hash of the whole file. */
  @Enum('CustodySignaturePlace', PLACES) place!: (typeof PLACES)[number];
  /** Whether it was valid when this was asked. Whether to trust the key is for the reader to decide. */
  @Bool() valid!: boolean;
  /** SHA-256 of the key's SPKI form, in hex; null for a domain. */
  @Str({ nullable: true }) keyId!: string | null;
  /** Name of the org whose own key it is, as it was when the key was made; null for any other signer. */
  @Str({ nullable: true }) org!: string | null;
  /** Domain whose certificate signed; null for a bare key. */
  @Str({ nullable: true }) domain!: string | null;
  /** The time that the signer states. */
  @Str({ nullable: true }) created!: string | null;
  /** Program that signed, as it names itself. */
  @Str({ nullable: true }) software!: string | null;
  /** What is signed; null when it is in the package. */
  @Str({ nullable: true }) hash!: string | null;
  /** Base64. */
  @Str({ nullable: true }) signature!: string | null;
  /** Base64 of the key's SPKI form. */
  @Str({ nullable: true }) publicKey!: string | null;
}

/** An RFC 3161 time stamp of the text of `signature`. */
export class CustodyTimeStamp {
  /** The time that the authority vouches for. */
  @TimeText() time!: string;
  /** Name in the authority's certificate. */
  @Str({ nullable: true }) authority!: string | null;
  /** Whether it was valid for the signature when this was asked. Trust in the authority is for the reader to decide. */
  @Bool() valid!: boolean;
  /** Base64 of the token's DER. */
  @Str() token!: string;
}

export class CustodyFile {
  @Str() name!: string;
  /** Bytes. */
  @Int() size!: number;
  /** Of the whole file, in hex. */
  @Str() sha256!: string;
  /** Names of the storages that hold it, the original first. */
  @ListOf(str()) storages!: string[];
  /** The crawler, as the file names it. */
  @Str({ nullable: true }) software!: string | null;
  /** The browser that recorded, as the file names it. */
  @Str({ nullable: true }) browser!: string | null;
  /** Null: nobody signed it, or it was not looked at. */
  @Nested(() => CustodySignature, { nullable: true }) signature!: CustodySignature | null;
  /** Time stamp of the signature by RFC 3161; null without one. */
  @Nested(() => CustodyTimeStamp, { nullable: true }) timeStamp!: CustodyTimeStamp | null;
  /** Why something is not said here, in words: an unreachable storage, a signature that is still to come. */
  @Str({ nullable: true }) problem!: string | null;
}

export class CustodyDownload {
  /** When it began. */
  @TimeText() at!: string;
  @Str() userName!: string;
  @Str() filename!: string;
}

/** What happened to an item and its files since it was recorded. */
export class CustodyOut {
  @ItemId() id!: string;
  @Uuid() oid!: string;
  @Str() type!: string;
  @Str({ nullable: true }) name!: string | null;
  @Str() state!: string;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished!: string | null;
  /** Who started the crawl or sent the upload. */
  @Str({ nullable: true }) userName!: string | null;
  @Str({ nullable: true }) firstSeed!: string | null;
  @Int() pageCount!: number;
  /** The workflow and the revision of its settings that the crawl ran with. */
  @Uuid({ nullable: true }) cid!: string | null;
  /** Revision of the workflow's settings that the crawl ran with; null for uploads. */
  @Int({ nullable: true }) workflowRevision!: number | null;
  /** Image of the crawler, where crawlers run in containers. */
  @Str({ nullable: true }) crawlerImage!: string | null;
  /** Files of the item. */
  @ListOf(() => CustodyFile) files!: CustodyFile[];
  /** Comparisons of all copies of all files with their records: the last ones, the oldest first. */
  @ListOf(() => ItemFixity) fixityRuns!: ItemFixity[];
  /** Downloads of the item through the service. Players read parts of files by signed addresses, uncounted. */
  @Int() downloadCount!: number;
  /** The last of them, the oldest first. */
  @ListOf(() => CustodyDownload) downloads!: CustodyDownload[];
  /** Whether the item is being deleted. */
  @Bool() deleted!: boolean;
  /** Where the public keys of this service are. */
  @Str() keys!: string;
  /** The service that says this. */
  @Str() software!: string;
  /** When all this was looked up and checked. */
  @TimeText() checked!: string;
}
