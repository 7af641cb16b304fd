export class EmptyResponse {}
