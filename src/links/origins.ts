import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { AddressOfRequest, type RequestAddress } from '../common/http/request-address.js';
import { Links } from './links.js';

/** Turns a request's address into an origin by one of the rules of `Links`. */
function originBy(rule: 'inAnswer' | 'inMail' | 'stated'): Type<PipeTransform<RequestAddress, string>> {
  @Injectable()
  class OriginByRule implements PipeTransform<RequestAddress, string> {
    constructor(private readonly links: Links) {}

    transform(address: RequestAddress): string {
      return this.links[rule](address);
    }
  }
  return OriginByRule;
}

const InAnswer = originBy('inAnswer');
const InMail = originBy('inMail');
const Stated = originBy('stated');

/** Injects the base of absolute URLs in the answer, `Links.inAnswer`. */
export const PublicOrigin = (): ParameterDecorator => AddressOfRequest(InAnswer);

/** Injects the base of links in a mail that the request sends, `Links.inMail`. */
export const MailOrigin = (): ParameterDecorator => AddressOfRequest(InMail);

/** Injects the request's statement of the address that the org's people use, `Links.stated`. */
export const StatedOrigin = (): ParameterDecorator => AddressOfRequest(Stated);
