import { client } from '../../api/client';

const STEP = 5_000;

/** Saves all addresses of the queue as a text file, one in a line. @throws ApiProblem */
export async function saveQueue(oid: string, crawlId: string): Promise<void> {
  const urls: string[] = [];
  for (let offset = 0; ; offset += STEP) {
    const { data } = await client.GET('/api/orgs/{oid}/crawls/{crawl_id}/queue', {
      params: { path: { oid, crawl_id: crawlId }, query: { offset, count: STEP } },
    });
    urls.push(...(data?.results ?? []));
    if (!data || data.results.length < STEP) break;
  }
  const address = URL.createObjectURL(new Blob([`${urls.join('\n')}\n`], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `queue-${crawlId}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
