import { testFaults } from './commands.ts';

testFaults('1/2');
