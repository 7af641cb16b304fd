const wordsOf = (name: string): string[] => name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? [name];
const lowered = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
/** `Crawls` is `Crawl`, `Qa` and `Access` stay. */
const single = (noun: string): string => noun.replace(/(?<!s)s$/, '');

/**
 * The name of an operation in generated clients. A handler that is named by a verb and a noun gives its name:
 * `acceptInvite`. One that is named by a verb alone takes its controller's noun, in the plural to list and for all:
 * `CrawlsController.list` is `listCrawls`, `CrawlsController.get` is `getCrawl`, `JobsController.retryAll` would be
 * `retryAllJobs`.
 */
export function operationName(controller: string, handler: string): string {
  const [verb = handler, ...rest] = wordsOf(handler);
  const isForAll = rest.length === 1 && rest[0] === 'All';
  if (rest.length > 0 && !isForAll) return lowered(handler);
  const noun = controller.replace(/Controller$/, '');
  return `${lowered(verb)}${rest.join('')}${isForAll || verb === 'list' ? noun : single(noun)}`;
}
