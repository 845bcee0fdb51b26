import { testFaults } from './commands.ts';

testFaults('2/2');
