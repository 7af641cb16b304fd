import { chainOf, type AuditCheckpoint } from '../data/chain.facts.js';

/** What is signed. It names the chain, so that the checkpoint of one fits no other. */
export const checkpointText = (
  oid: string | null,
  { day, digest, cutAt }: Pick<AuditCheckpoint, 'day' | 'digest' | 'cutAt'>,
): string => `muniment audit checkpoint\n${chainOf(oid)}\n${day}\n${digest}\n${cutAt.toISOString()}\n`;
