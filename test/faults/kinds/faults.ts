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

/** The faults that have this text in their name. Some of them need a program that this machine may lack. */
export function faultsNamed(part: string): Fault[] {
  const wanted = part.toLowerCase();
  return faults.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** The first seeds whose fault has a name with this text and can happen on this machine. */
export function seedsOf(part: string, count: number, from = 1): number[] {
  const wanted = faultsNamed(part).filter(({ missing }) => missing === undefined);
  const seeds: number[] = [];
  if (wanted.length === 0) return seeds;
  for (let seed = from; seeds.length < count; seed++) if (wanted.includes(faultOf(seed))) seeds.push(seed);
  return seeds;
}
