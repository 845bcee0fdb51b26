import { testPlanted } from './commands.ts';

testPlanted('1/4');
