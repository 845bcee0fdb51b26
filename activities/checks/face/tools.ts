import { loadFaceNetwork } from '../document/masking/face-network.ts';
import type { FaceTools } from './compare.ts';
import { loadLandmarks } from './landmarks.ts';
import { loadRecogniser } from './recogniser.ts';

/** Loads the three networks: the detector of faces, the finder of points in a face, and the recogniser. */
export async function loadFaceTools(): Promise<FaceTools> {
  const [detector, landmarks, recogniser] = await Promise.all([
    loadFaceNetwork(),
    loadLandmarks(),
    loadRecogniser(),
  ]);
  return { detector, landmarks, recogniser };
}
