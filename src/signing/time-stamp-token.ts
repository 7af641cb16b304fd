import { createHash, randomBytes } from 'node:crypto';
import { Integer, Null, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  ContentInfo,
  MessageImprint,
  PKIStatus,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { NoTimeStamp, type TimeStampFacts } from './time-stamp.js';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
/** Positive whatever the first bit is. */
const NONCE_BYTES = 8;

export interface TimeStampQuestion {
  /** DER of the `TimeStampReq`. */
  readonly der: Buffer;
  readonly nonce: Buffer;
}

/** A request for a time stamp of a text's SHA-256 (RFC 3161 §2.4.1), with the authority's certificate. */
export function timeStampQuestion(text: string): TimeStampQuestion {
  const nonce = randomBytes(NONCE_BYTES);
  nonce[0] = (nonce[0] ?? 0) & 0x7f || 1;
  const question = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: bufferOf(sha256(text)) }),
    }),
    nonce: new Integer({ valueHex: bufferOf(nonce) }),
    certReq: true,
  });
  return { der: Buffer.from(question.toSchema().toBER()), nonce };
}

/**
 * Takes the token out of the authority's answer.
 * @returns DER of the token, verified, as `openssl ts -token_in` reads it
 * @throws NoTimeStamp
 */
export async function tokenOf(answer: Buffer, question: TimeStampQuestion, text: string): Promise<Buffer> {
  const response = parsed(() => TimeStampResp.fromBER(bufferOf(answer)), 'the answer is no RFC 3161 response');
  const { status } = response.status;
  if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods)
    throw new NoTimeStamp(`the authority refused with status ${String(status)}`);
  if (!response.timeStampToken) throw new NoTimeStamp('the answer holds no token');
  const token = Buffer.from(response.timeStampToken.toSchema().toBER());
  const { nonce } = contentOf(token).info;
  if (!nonce || !Buffer.from(nonce.valueBlock.valueHexView).equals(question.nonce))
    throw new NoTimeStamp('the token answers another request');
  await verifiedTimeStamp(token, text);
  return token;
}

/**
 * What a token says of a text, once its signature and the text's hash are verified. Whether the authority itself is to
 * be trusted is for the reader to decide.
 * @throws NoTimeStamp
 */
export async function verifiedTimeStamp(token: Buffer, text: string): Promise<TimeStampFacts> {
  const { signed, info } = contentOf(token);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const isOfText =
    hashAlgorithm.algorithmId === SHA256 && Buffer.from(hashedMessage.valueBlock.valueHexView).equals(sha256(text));
  if (!isOfText) throw new NoTimeStamp('the token is of something else');
  const data = bufferOf(Buffer.from(text));
  const isSigned = await signed.verify({ signer: 0, data, checkChain: false }).catch(() => false);
  if (isSigned !== true) throw new NoTimeStamp('the signature of the token is not valid');
  return { time: info.genTime, authority: authorityOf(signed) };
}

function contentOf(token: Buffer): { signed: SignedData; info: TSTInfo } {
  return parsed(() => {
    const content = ContentInfo.fromBER(bufferOf(token));
    if (content.contentType !== SIGNED_DATA) throw new TypeError(content.contentType);
    const signed = new SignedData({ schema: content.content as never });
    const octets = signed.encapContentInfo.eContent;
    if (!octets) throw new TypeError('empty');
    return { signed, info: TSTInfo.fromBER(octets.getValue()) };
  }, 'the token is not readable');
}

/** The common name of the certificate that signed, else all its names. */
function authorityOf(signed: SignedData): string | null {
  const [signer] = signed.signerInfos;
  const serial = (signer?.sid as { serialNumber?: Integer } | undefined)?.serialNumber;
  const certificates = (signed.certificates ?? []) as readonly { serialNumber?: Integer; subject?: unknown }[];
  const own = certificates.find(({ serialNumber }) => serialNumber && serial && serialNumber.isEqual(serial));
  const names = (own?.subject as { typesAndValues: { type: string; value: { valueBlock: { value: string } } }[] })
    ?.typesAndValues;
  if (!names) return null;
  const common = names.find(({ type }) => type === '2.5.4.3') ?? names.at(-1);
  return common ? String(common.value.valueBlock.value).slice(0, 300) : null;
}

function parsed<T>(read: () => T, otherwise: string): T {
  try {
    return read();
  } catch (error) {
    throw new NoTimeStamp(otherwise, { cause: error });
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The bytes alone: a `Buffer` may be a part of a larger one. */
const bufferOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
