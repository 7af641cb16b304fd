import { Injectable, type PipeTransform } from '@nestjs/common';
import { AddressOfRequest, type RequestAddress } from '../common/http/request-address.js';
import { Links } from './links.js';

@Injectable()
class OriginInAnswer implements PipeTransform<RequestAddress, string> {
  constructor(private readonly links: Links) {}

  transform(address: RequestAddress): string {
    return this.links.inAnswer(address);
  }
}

@Injectable()
class OriginInMail implements PipeTransform<RequestAddress, string> {
  constructor(private readonly links: Links) {}

  transform(address: RequestAddress): string {
    return this.links.inMail(address);
  }
}

@Injectable()
class OriginStated implements PipeTransform<RequestAddress, string> {
  constructor(private readonly links: Links) {}

  transform(address: RequestAddress): string {
    return this.links.stated(address);
  }
}

/** Injects the base of absolute URLs in the answer, `Links.inAnswer`. */
export const PublicOrigin = (): ParameterDecorator => AddressOfRequest(OriginInAnswer);

/** Injects the base of links in a mail that the request sends, `Links.inMail`. */
export const MailOrigin = (): ParameterDecorator => AddressOfRequest(OriginInMail);

/** Injects what the request states of the address that the org's people use, `Links.stated`. */
export const StatedOrigin = (): ParameterDecorator => AddressOfRequest(OriginStated);
