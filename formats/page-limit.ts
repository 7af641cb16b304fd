/** The smaller of a workflow's limit of pages and the installation's; 0 means none. */
export function pageLimit(own: number, installation: number): number {
  if (own === 0 || installation === 0) return own || installation;
  return Math.min(own, installation);
}
