import { testPlanted } from './commands.ts';

testPlanted('3/4');
