import { crashPoints } from './crash-points.ts';
import type { Fault } from './fault.ts';
import { frozenParts } from './frozen.ts';
import { killed } from './killed.ts';
import { lostWorkflows } from './lost-workflows.ts';
import { partitions } from './partitions.ts';
import { postgresPutBack } from './postgres-put-back.ts';
import { temporalPutBack } from './temporal-put-back.ts';
import { twoVersions } from './two-versions.ts';
import { vanishedHosts } from './vanished-hosts.ts';
import { wrongClocks } from './wrong-clocks.ts';

export const faults: readonly Fault[] = [
  ...crashPoints,
  ...killed,
  ...lostWorkflows,
  ...partitions,
  ...vanishedHosts,
  ...wrongClocks,
  postgresPutBack,
  temporalPutBack,
  twoVersions,
  ...frozenParts,
];

/** Each seed belongs to one kind of fault, and as many seeds to each kind. */
export function faultOf(seed: number): Fault {
  const fault = faults[(seed - 1) % faults.length];
  if (fault === undefined) throw new Error(`a seed is a whole number from 1, not ${seed}`);
  return fault;
}

/** The first seeds whose fault has a name with this text and can happen on this machine. */
export function seedsOf(part: string, count: number, from = 1): number[] {
  const wanted = part.toLowerCase();
  const isWanted = ({ name, missing }: Fault) => missing === undefined && name.toLowerCase().includes(wanted);
  if (!faults.some(isWanted)) return [];
  const seeds: number[] = [];
  for (let seed = from; seeds.length < count; seed++) if (isWanted(faultOf(seed))) seeds.push(seed);
  return seeds;
}
