import { testPlanted } from './commands.ts';

testPlanted('2/4');
