import {
  condition,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { FloorActivities } from './floor.ts';

const { record } = proxyLocalActivities<FloorActivities>({ startToCloseTimeout: '3s' });
const { post } = proxyActivities<FloorActivities>({ startToCloseTimeout: '30s' });
const create = defineUpdate<string>('create');

export async function floorCreate(id: string, urls: string[]): Promise<void> {
  let recorded = false;
  setHandler(create, async () => {
    await condition(() => recorded);
    return id;
  });
  await record(id, urls);
  recorded = true;
}

export async function floorDelivery(id: string, url: string): Promise<void> {
  await post(id, url);
}
