import { expect, test } from 'vitest';
import { plantedSectionOf, withPlanted } from '#test/faults/planted-section.ts';

const report = '# Faults\n\n## Verdict\n\nNothing lost.\n';
const claim = { bug: 'the claim is skipped', fault: 'API killed', line: 'FAILED (doubled): a | b' };
const sweep = { bug: 'the sweep is off', fault: 'worker killed', line: undefined };

test('the section of planted bugs is put behind a report, replaced by the next one, and found again', () => {
  const page = withPlanted(report, [claim]);
  expect(page.startsWith(report)).toBe(true);
  expect(page).toContain('| the claim is skipped | API killed | FAILED (doubled): a \\| b |');
  const next = withPlanted(page, [sweep]);
  expect(next).toContain('| the sweep is off | worker killed | NOT CAUGHT |');
  expect(next).not.toContain('the claim is skipped');
  expect(`${report}\n${plantedSectionOf(next)}`).toBe(next);
  expect(plantedSectionOf(report)).toBe('');
});
