import { testPlanted } from './commands.ts';

testPlanted('4/4');
